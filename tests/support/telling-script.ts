import { nameHelper } from '../../scripts/browsers/running-extension.ts';
import { askEverything } from './ask-everything.ts';
import { everyCall } from './every-call.ts';

/**
 * Source of a script that makes every call from where it runs. The outcomes end up as JSON in the attribute `data-told` of
 * the page in the tab: a frame sends them to its parent, which has to listen.
 */
export const tellingScript = `{
  ${nameHelper}
  const ask = ${askEverything.toString()};
  ask(${JSON.stringify(everyCall)}, '').then((outcomes) => {
    const told = JSON.stringify(outcomes);
    if (window === top) document.documentElement.dataset.told = told;
    else parent.postMessage({ told }, '*');
  });
}`;
