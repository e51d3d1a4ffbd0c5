/** The features of the sample, which a person deletes. */
const features = ['specification', 'messages'].map((name) => `features/${name}`);

/** Returns `true` for a file of the sample. */
export function isSample(path: string): boolean {
  return features.some((folder) => path.startsWith(`src/${folder}/`) || path.startsWith(`tests/${folder}/`));
}

/** Deletes the lines of a file that name the sample, and the lines that use an import from it. */
export function withoutSample(text: string): string {
  return features.reduce(withoutLines, text);
}

/** Deletes the lines that have a name, and the lines that use an import from a path with this name. */
export function withoutLines(text: string, name: string): string {
  const imports = new RegExp(`^import (?:type )?\\{([^}]*)\\} from '[^']*${name}/[^']*';\\n`, 'gm');
  const imported = Array.from(text.matchAll(imports), ([, list = '']) => list.split(',')).flat();
  const uses = imported.map((use) => new RegExp(`\\b${use.replace('type ', '').trim()}\\b`));
  return text
    .replaceAll(imports, '')
    .split('\n')
    .filter((line) => !line.includes(name) && !uses.some((use) => use.test(line)))
    .join('\n');
}
