import type { Plugin, Rolldown } from 'vite';

import { pages } from '../../src/contract/pages.ts';
import { Theme } from '../../src/contract/preferences.ts';
import { themedPopup } from '../../src/contract/themed-popup.ts';
import { textOfAsset } from './text-of-asset.ts';

const SCRIPT = /\s*<script src="\/before-paint\.js"><\/script>/u;

/** Writes the popup's page once more for each theme, with the theme in it and without the script that finds it out. */
export function themedPopupsPlugin(): Plugin {
  return {
    name: 'themed-popups',
    apply: 'build',
    enforce: 'post',
    // CRXJS's hook: the pages are there by then.
    renderCrxManifest(this: Rolldown.PluginContext, _: unknown, bundle: Rolldown.OutputBundle) {
      const popup = textOfAsset(bundle, pages.popup);
      if (!SCRIPT.test(popup))
        throw new Error(`${pages.popup} has no script that runs before it is painted.`);

      for (const theme of Theme.options) {
        const source = popup.replace(SCRIPT, '').replace('<html', () => `<html data-theme="${theme}"`);
        this.emitFile({ type: 'asset', fileName: themedPopup(theme), source });
      }
    },
  } as Plugin;
}
