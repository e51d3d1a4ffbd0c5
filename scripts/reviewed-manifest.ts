import manifest from '../manifest.json' with { type: 'json' };

/** Keys that only describe the extension or name its files. They do not give it rights. */
export const descriptiveKeys: readonly string[] = [
  'name',
  'description',
  'version',
  'default_locale',
  'icons',
  'background',
];

/** Prefixes of the addresses that a build may contain. The first two are only text, and are never requested. */
export const reviewedAddresses: readonly string[] = ['http://www.w3.org/', 'https://react.dev/errors/'];

/** Returns the reviewed manifest. Review each change here, because it changes the rights of the extension. */
export function reviewedManifest(): Readonly<Record<string, unknown>> {
  return {
    manifest_version: 3,
    permissions: ['storage'],
    action: {
      default_title: '__MSG_extension_name__',
      default_popup: 'src/popup/index.html',
      default_icon: { '16': 'icons/16.png', '32': 'icons/32.png' },
    },
    options_ui: { page: 'src/options/index.html', open_in_tab: true },
    commands: { _execute_action: {} },
    externally_connectable: { ids: [] },
    content_security_policy: {
      extension_pages: [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
    },
    minimum_chrome_version: '123',
    browser_specific_settings: {
      gecko: {
        id: manifest.browser_specific_settings.gecko.id,
        strict_min_version: '142.0',
        data_collection_permissions: { required: ['none'] },
      },
    },
  };
}
