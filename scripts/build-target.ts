import manifest from '../manifest.json' with { type: 'json' };

/** The oldest browsers that the manifest allows: the target of every build. */
export const buildTarget: string[] = [
  `chrome${manifest.minimum_chrome_version}`,
  `firefox${Number.parseInt(manifest.browser_specific_settings.gecko.strict_min_version, 10)}`,
];
