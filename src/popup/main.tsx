import type { contract } from '../contract.ts';
import { applySavedTheme } from '../features/preferences/theme.tsx';
import { translate } from '../platform/extension.ts';
import { createPageClient } from '../platform/port.ts';
import { openOptions } from '../platform/tabs.ts';
import { mountPage } from '../ui/page.tsx';
import { PopupPage } from './popup.tsx';

const client = createPageClient<typeof contract>();
// The background starts while the page renders.
client.wake();

applySavedTheme();
mountPage(<PopupPage extension={{ client, translate, openOptions }} />, translate);
