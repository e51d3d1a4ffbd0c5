import type { Api } from '../background/features.ts';
import { applySavedTheme } from '../features/preferences/theme.tsx';
import { createPageClient } from '../platform/port.ts';
import { translate } from '../platform/translate.ts';
import { mountPage } from '../ui/page.tsx';
import { OptionsPage } from './options.tsx';

const client = createPageClient<Api>();
// The background starts while the page renders.
client.wake();

applySavedTheme();
mountPage(<OptionsPage extension={{ client, translate }} />, translate);
