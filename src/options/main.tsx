import type { Api } from '../background/features.ts';
import { translate } from '../platform/translate.ts';
import { createPageClient } from '../platform/port.ts';
import { mountPage } from '../ui/page.tsx';
import { OptionsPage } from './options.tsx';

mountPage(<OptionsPage extension={{ client: createPageClient<Api>(), translate }} />, translate);
