/** Shows the options page at an address within it, in the tab where it is open already if there is one. */
export type OpenOptions = (hash: string) => Promise<void>;
