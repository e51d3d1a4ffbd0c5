import type { Api } from '../background/features.ts';
import { pages } from '../callers.ts';
import { applySavedTheme } from '../features/preferences/theme.tsx';
import { createPageClient } from '../platform/port.ts';
import { openPage } from '../platform/tabs.ts';
import { translate } from '../platform/translate.ts';
import { mountPage } from '../ui/page.tsx';
import { PopupPage } from './popup.tsx';

const client = createPageClient<Api>();
// The background starts while the page renders.
client.wake();

const openOptions = (hash: string): Promise<void> => openPage(pages.options, hash);

applySavedTheme();
mountPage(<PopupPage extension={{ client, translate, openOptions }} />, translate);
