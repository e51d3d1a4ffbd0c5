import { started } from './start.ts';
// What is above this line runs before React, what is below it needs React.
import { openOptions } from '../platform/open-options.ts';
import { translate } from '../platform/translate.ts';
import { mountPage } from '../ui/mount-page.tsx';
import { PopupPage } from './popup-page.tsx';

if (started)
  mountPage(<PopupPage extension={{ ...started, translate }} openOptions={openOptions} />, translate);
