/** Something that a page did and that its policy may refuse, as in a `securitypolicyviolation` event. */
export interface Violation {
  /** Name of the directive, such as `connect-src` or `style-src-elem`. */
  readonly effectiveDirective: string;
  /** Address that was refused, or a word such as `inline` or `trusted-types-sink`. */
  readonly blockedURI: string;
  /** Address of the script, empty if the browser does not know it. */
  readonly sourceFile: string;
  /** The beginning of the refused text, or the name of the policy of Trusted Types. */
  readonly sample: string;
}

/**
 * Returns a sentence that says which change of `manifest.json` allows what a page did. Returns `undefined` if its policy allows
 * it already.
 *
 * @param policy `extension_pages` of `content_security_policy` in `manifest.json`, which builds have
 */
export function describeViolation(violation: Violation, policy: string): string | undefined {
  const { sourceFile, sample } = violation;
  const directive = violation.effectiveDirective.replace(/-(?:elem|attr)$/u, '');
  const value = valueOf(violation);
  if (isAllowed(directive, value, policy)) return undefined;

  // No line, because it would be that of the code that Vite has made of the file.
  const file = /^https?:\/\/localhost:\d+\/([^?]+)/u.exec(sourceFile)?.[1] ?? 'A page';
  const place = '`content_security_policy` of manifest.json';
  const what = sample === '' ? violation.blockedURI : `“${sample}”`;
  const refused = `${file}: builds refuse ${what} because of ${directive} in ${place}.`;
  if (directive === 'require-trusted-types-for') {
    return `${refused} Avoid it, or create the value with a policy that \`trusted-types\` names.`;
  }
  if (directive === 'script-src' && value !== "'wasm-unsafe-eval'") {
    return `${refused} Browsers allow only scripts of the extension.`;
  }
  return `${refused} To allow it, add ${value} to ${directive}.`;
}

/** Returns what a directive must have to allow what the page did. */
function valueOf({ effectiveDirective, blockedURI, sample }: Violation): string {
  if (effectiveDirective === 'trusted-types') return sample;
  if (blockedURI === 'wasm-eval') return "'wasm-unsafe-eval'";
  if (blockedURI === 'inline') return "'unsafe-inline'";
  if (URL.canParse(blockedURI)) {
    const { origin, protocol } = new URL(blockedURI);
    return origin === 'null' ? protocol : origin;
  }
  // Browsers report only the scheme of addresses such as `data:`.
  return /^(?:data|blob|filesystem)$/u.test(blockedURI) ? `${blockedURI}:` : blockedURI;
}

function isAllowed(directive: string, value: string, policy: string): boolean {
  const stated = new Map(
    policy.split(';').map((part) => {
      const [name = '', ...sources] = part.trim().split(/\s+/u);
      return [name, sources] as const;
    }),
  );
  if (directive === 'require-trusted-types-for') return !stated.has(directive);
  const sources = stated.get(directive) ?? stated.get('default-src');
  return sources === undefined || sources.includes(value);
}
