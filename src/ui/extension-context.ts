import { createContext } from 'react';

import type { Extension } from './extension.ts';

export const ExtensionContext = createContext<Extension | undefined>(undefined);
