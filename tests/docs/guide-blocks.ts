/** A block of code in a guide. The path of its file comes after the language. */
export interface GuideBlock {
  /** Path from the root of the project. */
  readonly path: string;
  /**
   * A `change` has lines to add and to remove, at one place or at several with `@@` between them. A `merge` is JSON, whose
   * members are added to the manifest or the strings. A `file` is new.
   */
  readonly kind: 'change' | 'merge' | 'file';
  readonly text: string;
}

/** Returns the blocks of a guide that name a file, in their order. */
export function guideBlocks(markdown: string): readonly GuideBlock[] {
  const fences = markdown.matchAll(/^```(\w+) (\S+)\n(.*?)\n```$/gmsu);
  return Array.from(fences, ([, language, path = '', text = '']) => {
    const isMerge = path === 'manifest.json' || path.endsWith('/messages.json');
    return { path, kind: language === 'diff' ? 'change' : isMerge ? 'merge' : 'file', text };
  });
}
