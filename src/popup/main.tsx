import { pages } from '../callers.ts';
import { connectPage } from '../connect.ts';
import { applySavedTheme } from '../features/preferences/saved-theme.ts';
import { openPage } from '../platform/tabs.ts';
import { translate } from '../platform/translate.ts';
import { mountPage } from '../ui/mount-page.tsx';
import { PopupPage } from './popup.tsx';

const client = connectPage();
// The background starts while the page renders.
client.wake();

const openOptions = (hash: string): Promise<void> => openPage(pages.options, hash);

applySavedTheme();
mountPage(<PopupPage extension={{ client, translate, openOptions }} />, translate);
