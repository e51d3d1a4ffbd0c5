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

/**
 * Applies blocks one after the other. A person may have typed them into the project before. Returns the new texts by path.
 *
 * @param read returns the present text of a file. It throws if the file does not exist.
 * @throws Error if lines to change do not occur exactly once
 */
export function applyBlocks(
  blocks: readonly GuideBlock[],
  read: (path: string) => string,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const block of blocks) {
    const { path, kind, text } = block;
    if (kind === 'file') texts.set(path, `${text}\n`);
    else texts.set(path, changed(texts.get(path) ?? read(path), block));
  }
  return texts;
}

function changed(before: string, { path, kind, text: block }: GuideBlock): string {
  if (kind === 'merge') {
    return `${JSON.stringify(merge(JSON.parse(before), JSON.parse(block)), undefined, 2)}\n`;
  }
  let text = before;
  for (const change of block.split('\n@@\n')) {
    const [old, replaced] = [linesOf(change, '-'), linesOf(change, '+')];
    const added = replaced.split('\n').filter((line) => !old.split('\n').includes(line));
    // The project may have these lines already.
    if (added.length > 0 && added.every((line) => text.split('\n').includes(line))) continue;
    const places = text.split(old).length - 1;
    if (places !== 1) throw new Error(`${path} has ${places} places with\n${old}`);
    text = text.replace(old, () => replaced);
  }
  return text;
}

/** Adds members, and items that a list does not have. Other values are replaced. */
function merge(present: unknown, added: unknown): unknown {
  if (Array.isArray(present) && Array.isArray(added)) {
    const texts = new Set(present.map((item) => JSON.stringify(item)));
    return [...(present as unknown[]), ...added.filter((item) => !texts.has(JSON.stringify(item)))];
  }
  if (!isObject(present) || !isObject(added)) return added;
  const merged = Object.entries(added).map(([key, value]) => [key, merge(present[key], value)] as const);
  return { ...present, ...Object.fromEntries(merged) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the lines of a place before the change (`-`) or after it (`+`). */
function linesOf(change: string, mark: '-' | '+'): string {
  return change
    .split('\n')
    .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n');
}
