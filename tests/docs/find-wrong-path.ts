const FILE = /^[\w.@*<>{},/-]+\.(?:css|html|js|json|md|png|svg|tsx?|ya?ml)$/;

/** Whether a run of code in a document names a file or a folder of the project. */
function isPath(code: string, files: readonly string[]): boolean {
  if (/\s|:|^[./]*$/.test(code)) return false;
  const [top = '', ...rest] = code.split('/');
  return FILE.test(code) || (rest.length > 0 && files.some((file) => file.startsWith(`${top}/`)));
}

/**
 * The path that a run of code names, if nothing is there. A name without a folder may be anywhere in the project; `*`, `{a,b}`
 * and `<any>` are patterns.
 *
 * @param files of the project, with forward slashes
 * @param outputs folders that tools write, which need not be there
 */
export function findWrongPath(
  code: string,
  files: readonly string[],
  outputs: readonly string[],
): string | undefined {
  if (outputs.some((output) => `${code}/`.startsWith(output))) return undefined;
  if (!isPath(code, files) && !/^[\w.-]+(?:\/[\w.-]+)*\/$/.test(code)) return undefined;

  const pattern = new RegExp(`(?:^|/)${patternOf(code.replace(/\/$/, ''))}(?:/|$)`);
  const [top] = code.split('/');
  const isFromTop = files.some((file) => file.startsWith(`${top}/`));
  const found = files.some((file) => {
    const match = pattern.exec(file);
    return match !== null && (!isFromTop || match.index === 0);
  });
  return found ? undefined : code;
}

function patternOf(path: string): string {
  return path
    .replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**', '.+')
    .replaceAll(/(?<!\.)\*|<\w+>/g, '[^/]+')
    .replaceAll(/\{([^}]*)\}/g, (_, options: string) => `(?:${options.replaceAll(',', '|')})`);
}
