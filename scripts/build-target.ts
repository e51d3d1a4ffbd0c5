import manifest from '../manifest.json' with { type: 'json' };

/** Target of every build: the oldest browsers that the manifest allows. */
export const buildTarget: string[] = [
  `chrome${manifest.minimum_chrome_version}`,
  `firefox${Number.parseInt(manifest.browser_specific_settings.gecko.strict_min_version, 10)}`,
];
