import type { Api } from '../background/features.ts';
import { applySavedTheme } from '../features/preferences/theme.tsx';
import { createPageClient } from '../platform/port.ts';
import { openOptions } from '../platform/tabs.ts';
import { translate } from '../platform/translate.ts';
import { mountPage } from '../ui/page.tsx';
import { PopupPage } from './popup.tsx';

applySavedTheme();
mountPage(<PopupPage extension={{ client: createPageClient<Api>(), translate, openOptions }} />, translate);
