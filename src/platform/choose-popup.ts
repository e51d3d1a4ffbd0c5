import { pages } from '../contract/pages.ts';
import type { Theme } from '../contract/preferences.ts';
import { builtLanguage, themedPopup } from '../contract/themed-popup.ts';
import { browser } from './browser.ts';

/**
 * Has the toolbar open the popup that is painted soonest: the one with this theme in it, if it is in the person's
 * language. Where the browser has forgotten that, the popup of the manifest opens, which takes a few milliseconds more.
 */
export function choosePopup(theme: Theme): void {
  // The dev server has none of those pages.
  if (!import.meta.env.PROD) return;

  const popup = browser.i18n.getMessage('text_language') === builtLanguage ? themedPopup(theme) : pages.popup;
  browser.action.setPopup({ popup }).catch(console.error);
}
