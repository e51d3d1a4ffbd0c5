import { toString } from 'mdast-util-to-string';

import { type GapId, gapIds } from '../spec-gaps.ts';
import type { OpenFile } from './open-file.ts';
import { type Node, startOf } from './read-markdown.ts';

/** Titles of the specification, word for word. Change them only if the specification changes. */
export const sectionTitles = {
  purpose: 'What the product does and for whom',
  screens: 'Screens and routes',
  entities: 'Entities and their fields',
  states: 'States and transitions',
  validation: 'Validation rules',
  roles: 'Roles and permissions',
  calls: 'The calls it makes',
  errors: 'The error catalogue',
  limits: 'Business constants and limits',
} as const satisfies Record<GapId, string>;

type Heading = Extract<Node, { type: 'heading' }>;

/** A heading and the text below it, up to the next heading. */
export interface Part {
  /** `undefined` for the text before the first heading. */
  readonly heading: Heading | undefined;
  readonly nodes: readonly Node[];
  readonly end: number;
}

export function splitByHeading({ nodes, text }: OpenFile): readonly Part[] {
  const starts = [0, ...nodes.flatMap((node, index) => (node.type === 'heading' ? [index] : []))];
  return starts.flatMap((from, index): readonly Part[] => {
    const to = starts[index + 1] ?? nodes.length;
    const [first, ...rest] = nodes.slice(from, to);
    const end = startOf(nodes[to], text);
    if (first?.type === 'heading') return [{ heading: first, nodes: rest, end }];
    return first === undefined ? [] : [{ heading: undefined, nodes: [first, ...rest], end }];
  });
}

interface ExpectedHeading {
  /** Key of the part: `start`, `purpose`, `purpose.questions`. */
  readonly key: string;
  readonly depth: number;
  readonly title: string;
}

const gapParts = { known: 'Known', questions: 'Questions', forNow: 'For now', places: 'Where it goes' };

/** All headings of the questionnaire, in order. */
export const expectedHeadings: readonly ExpectedHeading[] = [
  { key: 'title', depth: 1, title: 'Specification gaps' },
  { key: 'start', depth: 2, title: 'Start here' },
  ...gapIds.flatMap(headingsOf),
  { key: 'choices', depth: 2, title: 'Choices' },
  { key: 'leftOut', depth: 2, title: 'Left out on purpose' },
];

function headingsOf(id: GapId, index: number): readonly ExpectedHeading[] {
  const parts = Object.entries(gapParts).map(([part, title]) => ({ key: `${id}.${part}`, depth: 3, title }));
  return [{ key: id, depth: 2, title: `${index + 1}. ${sectionTitles[id]}` }, ...parts];
}

/** Returns `true` if a heading is the expected one. */
export function isHeading(heading: Heading, { depth, title }: ExpectedHeading): boolean {
  return heading.depth === depth && titleOf(heading) === title;
}

/** Returns `true` if a heading may be the expected one, but misspelt or at another depth. */
function isMeant(heading: Heading, { depth, title }: ExpectedHeading): boolean {
  return heading.depth === depth || titleOf(heading) === title;
}

/** Returns the title without the anchor that word processors add, as in `Choices {#choices}`. */
export function titleOf(heading: Heading): string {
  return toString(heading)
    .replace(/\{#[^}]*\}\s*$/u, '')
    .trim()
    .replaceAll(/\s+/gu, ' ');
}

/** Returns the parts of the file by key, and reports headings that are missing, misspelt or not expected. */
export function matchHeadings(file: OpenFile): ReadonlyMap<string, Part> {
  const found = new Map<string, Part>();
  const parts = splitByHeading(file);
  let next = 0;
  let current = '';

  function take(at: number, part: Part): void {
    current = expectedHeadings[at]?.key ?? '';
    found.set(current, part);
    next = at + 1;
  }

  function comesLater(index: number, expected: ExpectedHeading): boolean {
    return parts.slice(index + 1).some(({ heading }) => heading && isHeading(heading, expected));
  }

  /** Reports missing headings. If a whole point is missing, only the heading of the point is reported. */
  function reportMissing(from: number, to: number, before: Node | undefined): void {
    const missing = expectedHeadings.slice(from, to);
    const keys = new Set(missing.map(({ key }) => key));
    const named = missing.filter(({ key, depth }) => depth < 3 || !keys.has(key.split('.')[0] ?? ''));
    const absent = named.filter((expected) => {
      const plain = file.nodes.find((node) => node.type === 'paragraph' && isPlain(node, expected));
      const wrong = `The heading "${expected.title}" is not marked as a heading.`;
      if (plain)
        file.report(startOf(plain, file.text), wrong, `Type ${markOf(expected)}, without a backslash.`);
      return plain === undefined;
    });
    if (absent.length === 0) return;
    const wrong = `There is no ${absent.map(markOf).join(', no ')} above this line.`;
    file.report(startOf(before, file.text), wrong, 'Restore the missing headings and the text below them.');
  }

  /** Returns `true` for the text of a heading whose `#` was lost or escaped. */
  function isPlain(node: Node, { title }: ExpectedHeading): boolean {
    return (
      toString(node)
        .replace(/^[#\s]+/u, '')
        .trim() === title
    );
  }

  for (const [index, part] of parts.entries()) {
    const { heading } = part;
    const match = heading
      ? expectedHeadings.findIndex((expected, at) => at >= next && isHeading(heading, expected))
      : -1;
    const expected = expectedHeadings[next];
    if (match >= 0) {
      reportMissing(next, match, heading);
      take(match, part);
    } else if (heading && expected && isMeant(heading, expected) && !comesLater(index, expected)) {
      const wrong = `The heading "${titleOf(heading)}" is not the one that belongs here.`;
      file.report(startOf(heading, file.text), wrong, `Type ${markOf(expected)}`);
      take(next, part);
    } else {
      if (heading) reportHeading(file, heading);
      else
        file.report(0, 'There is text above the first heading.', 'Delete it, or move it below the heading.');
      const before = found.get(current);
      if (before) found.set(current, { ...before, nodes: [...before.nodes, ...part.nodes], end: part.end });
    }
  }
  reportMissing(next, expectedHeadings.length, undefined);
  return found;
}

function markOf({ depth, title }: ExpectedHeading): string {
  return `"${'#'.repeat(depth)} ${title}"`;
}

/** Reports a heading that does not belong in a questionnaire. */
export function reportHeading({ report, text }: OpenFile, heading: Heading | undefined): void {
  const title = heading ? titleOf(heading) : '';
  const wrong = `The heading "${title}" is not part of the questionnaire, and an answer has no headings.`;
  report(startOf(heading, text), wrong, `In an answer, type it in bold: **${title}**`);
}
