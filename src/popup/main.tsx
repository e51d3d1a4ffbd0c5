import { contract } from '../contract/contract.ts';
import { createClient } from '../messaging/create-client.ts';
import { connectToWorker } from '../platform/connect-to-worker.ts';
import { openOptions } from '../platform/open-options.ts';
import { translate } from '../platform/translate.ts';
import { onWake } from '../platform/wake-signal.ts';
import { mountPage } from '../ui/mount-page.tsx';
import { PopupPage } from './popup-page.tsx';

const client = createClient(contract, connectToWorker);
onWake(client.resume);

mountPage(<PopupPage extension={{ client, translate }} openOptions={openOptions} />, translate);
