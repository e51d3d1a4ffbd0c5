interface WithPolicy {
  readonly content_security_policy: { readonly extension_pages: string };
}

/**
 * The manifest with a content security policy under which pages load from Vite's dev server: scripts and hot updates
 * from that port, and the `<style>` elements by which Vite delivers CSS. For development only.
 */
export function relaxPolicy<Manifest extends WithPolicy>(manifest: Manifest, port: number): Manifest {
  const server = `http://localhost:${port}`;
  const policy = [
    `script-src 'self' ${server}`,
    `style-src 'self' 'unsafe-inline'`,
    `connect-src 'self' ${server} ws://localhost:${port}`,
    `object-src 'none'`,
  ];
  return { ...manifest, content_security_policy: { extension_pages: policy.join('; ') } };
}
