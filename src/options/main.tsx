import { contract } from '../contract/contract.ts';
import { createClient } from '../messaging/create-client.ts';
import { connectToWorker } from '../platform/connect-to-worker.ts';
import { measureStorage } from '../platform/measure-storage.ts';
import { translate } from '../platform/translate.ts';
import { onWake } from '../platform/wake-signal.ts';
import { mountPage } from '../ui/mount-page.tsx';
import { OptionsPage } from './options-page.tsx';

const client = createClient(contract, connectToWorker);
onWake(client.resume);

mountPage(<OptionsPage extension={{ client, translate }} measureStorage={measureStorage} />, translate);
