/**
 * Returns the policy of the pages during development. It is the one of manifest.json, and also lets pages load from Vite's
 * server. Vite replaces styles by `<style>` elements, and shows mistakes in an overlay that Trusted Types would refuse.
 *
 * No build may have this policy, so only `npm start` uses this file. Chromium accepts the address of a server only in unpacked
 * extensions, and Firefox only in temporary add-ons.
 */
export function developmentPolicy(policy: string, server: string): string {
  const socket = server.replace(/^http/u, 'ws');
  const added: Readonly<Record<string, string>> = {
    'script-src': server,
    'style-src': `${server} 'unsafe-inline'`,
    'img-src': server,
    'font-src': server,
    'connect-src': `${server} ${socket}`,
  };
  const stated = new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/u))
      .filter(([name = '']) => name !== '' && !name.includes('trusted-types'))
      .map(([name = '', ...sources]) => [name, sources.join(' ')] as const),
  );
  // A directive that the manifest leaves out has the sources of `default-src`.
  const fallback = stated.get('default-src') ?? "'self'";
  for (const [name, sources] of Object.entries(added)) {
    const own = stated.get(name) ?? fallback;
    stated.set(name, own === "'none'" ? sources : `${own} ${sources}`);
  }
  return [...stated].map(([name, sources]) => `${name} ${sources}`).join('; ');
}
