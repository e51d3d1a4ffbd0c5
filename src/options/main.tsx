import { connectPage } from '../connect.ts';
import { applySavedTheme } from '../features/preferences/saved-theme.ts';
import { translate } from '../platform/translate.ts';
import { mountPage } from '../ui/mount-page.tsx';
import { OptionsPage } from './options.tsx';

const client = connectPage();
// The background starts while the page renders.
client.wake();

applySavedTheme();
mountPage(<OptionsPage extension={{ client, translate }} />, translate);
