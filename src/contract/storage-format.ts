/** What an exported file says it is, and what its name begins with. Not beside the schema: pages are built without. */
export const storageFormat = 'nine-points';
