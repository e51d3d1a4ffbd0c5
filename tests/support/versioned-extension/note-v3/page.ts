import { openClient } from '../open-client.ts';

openClient();
