import { connectPage } from '../platform/connect-page.ts';
import { measureStorage } from '../platform/measure-storage.ts';
import { translate } from '../platform/translate.ts';
import { onWake } from '../platform/wake-signal.ts';
import { createPageClient } from '../ui/create-page-client.ts';
import { mountPage } from '../ui/mount-page.tsx';
import { OptionsPage } from './options-page.tsx';

const client = createPageClient(connectPage, onWake);

mountPage(<OptionsPage extension={{ client, translate }} measureStorage={measureStorage} />, translate);
