/** Ids of the nine points, in the order of the specification. They never change, because addresses contain them. */
export const gapIds = [
  'purpose',
  'screens',
  'entities',
  'states',
  'validation',
  'roles',
  'calls',
  'errors',
  'limits',
] as const;

export type GapId = (typeof gapIds)[number];

/** A run of text, which is data and never markup: plain text, code, emphasis, or a link with its address. */
export type Inline =
  | string
  | { readonly code: string }
  | { readonly emphasis: string }
  | { readonly text: string; readonly address: string };

/** A paragraph, which is never empty. A hard line break is a `\n`. */
export type Paragraph = readonly Inline[];

/** One part of an answer. */
export type Block =
  | { readonly type: 'paragraph'; readonly text: Paragraph }
  | {
      readonly type: 'list';
      /** Number of the first item of a numbered list; `undefined` for a list with bullets. */
      readonly start?: number;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly type: 'table';
      readonly head: readonly Cell[];
      /** Each has as many cells as the head. */
      readonly rows: readonly (readonly Cell[])[];
    };

/** A cell of a table. It may be empty. */
export type Cell = readonly Inline[];

/** Returns a text without its formatting. */
export function plainText(runs: readonly Inline[]): string {
  return runs
    .map((run) => {
      if (typeof run === 'string') return run;
      if ('code' in run) return run.code;
      return 'emphasis' in run ? run.emphasis : `${run.text} ${run.address}`;
    })
    .join('');
}

/** Returns an answer without its formatting, with one line for each part. */
export function answerText(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      switch (block.type) {
        case 'paragraph':
          return plainText(block.text);
        case 'code':
          return block.text;
        case 'list':
          return block.items.map(answerText).join('\n');
        case 'quote':
          return answerText(block.blocks);
        case 'table':
          return [block.head, ...block.rows].flat().map(plainText).join('\n');
      }
    })
    .join('\n');
}

/** The roles of people who answer questions, in the order of the page. */
export const roles = ['owner', 'designer', 'engineer', 'legal'] as const;

/** The person who can usually answer a question. */
export type Role = (typeof roles)[number];

export interface Question {
  /** Number of the point and of the question, such as `7.3`. It always means the same question. */
  readonly id: string;
  readonly text: Paragraph;
  readonly role: Role;
  /** Set for the questions to start with. */
  readonly isStart: boolean;
  /** Empty until it is answered. */
  readonly answer: readonly Block[];
  /** The question and its answer, as written in `SPEC_GAPS.md`. */
  readonly markdown: string;
}

/** A file or folder of the repository, and a text about it. */
export interface Place {
  /** Path from the top of the repository. A folder ends with a slash. */
  readonly path: string;
  readonly text: Paragraph;
}

/** Number of answered questions, and of all questions. */
export interface Progress {
  readonly answered: number;
  /** Never 0. */
  readonly total: number;
}

export function addProgress(parts: readonly Progress[]): Progress {
  return parts.reduce((sum, part) => ({
    answered: sum.answered + part.answered,
    total: sum.total + part.total,
  }));
}

/** The progress of the questions that one role can answer. */
export interface RoleProgress extends Progress {
  readonly role: Role;
}

/** The progress of the questions to start with, and the minutes that all of them take. */
export interface StartProgress extends Progress {
  readonly minutes: number;
}

/** A point in the grid: its name, its address and its progress. */
export interface Point extends Progress {
  readonly id: GapId;
  /** 1 to 9, as in the specification. */
  readonly number: number;
  /** As in the specification, without the number. */
  readonly title: string;
}

/** A point of the specification: known facts, questions with answers, and the behaviour until they are answered. */
export interface Gap extends Point {
  readonly known: readonly Paragraph[];
  readonly questions: readonly Question[];
  readonly forNow: readonly Paragraph[];
  /** Places in the code that its answers change. */
  readonly places: readonly Place[];
  /** Its section of `SPEC_GAPS.md`. */
  readonly markdown: string;
}

/** A neutral choice that was necessary to get a running extension. */
export interface Choice {
  readonly name: string;
  readonly text: Paragraph;
  /** Every place to edit in order to change it. */
  readonly places: readonly Place[];
}

/** The questions that unblock the others, for one conversation. */
export interface Start extends StartProgress {
  readonly intro: readonly Paragraph[];
  /** Ids of questions, in the order of the conversation. */
  readonly questions: readonly string[];
}

/** The content of `SPEC_GAPS.md`. */
export interface SpecGaps {
  readonly start: Start;
  /** In the order of `roles`, without roles that have no question. */
  readonly progressByRole: readonly RoleProgress[];
  /** In the order of the specification. */
  readonly gaps: readonly Gap[];
  readonly choices: readonly Choice[];
  readonly leftOut: readonly Paragraph[];
}
