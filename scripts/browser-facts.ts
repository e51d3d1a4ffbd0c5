const FUNCTION = '"function"';
const OBJECT = '"object"';

/**
 * What React asks every browser when it starts, answered for those that `build-target.ts` names: the ways it has for all
 * others are left out of the bundles, some 1 kB of them. React DevTools reach no page of an extension.
 */
export const browserFacts = {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined',
  'document.documentMode': 'undefined',
  'typeof AbortController': FUNCTION,
  'typeof MessageChannel': FUNCTION,
  'typeof document': OBJECT,
  'typeof performance': OBJECT,
  'typeof performance.now': FUNCTION,
  'typeof queueMicrotask': FUNCTION,
  'typeof reportError': FUNCTION,
  'typeof window': OBJECT,
  'typeof window.document': OBJECT,
  'typeof window.document.createElement': FUNCTION,
};
