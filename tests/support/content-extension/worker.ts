import { announceWakeToTabs } from '../../../src/platform/port.ts';
import { startBackground } from '../start-background.ts';
import { contentCallers, contentFeature } from './feature.ts';

startBackground([contentFeature], { callers: contentCallers });
announceWakeToTabs();
