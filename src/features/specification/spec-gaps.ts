/** The nine points of the specification, in its order. An id is stable: addresses and messages carry it. */
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

/** One of the nine points of the specification. */
export type GapId = (typeof gapIds)[number];

/** A run of text, always data and never markup: plain text, code, stressed words, or a link with its address. */
export type Inline =
  | string
  | { readonly code: string }
  | { readonly emphasis: string }
  | { readonly text: string; readonly address: string };

/** One paragraph of text; never empty. A line break that its writer wants to keep is a `\n`. */
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

/** A cell of a table; may be empty. */
export type Cell = readonly Inline[];

/** The words of a text, without the difference between text, code and links. */
export function plainText(runs: readonly Inline[]): string {
  return runs
    .map((run) => {
      if (typeof run === 'string') return run;
      if ('code' in run) return run.code;
      return 'emphasis' in run ? run.emphasis : `${run.text} ${run.address}`;
    })
    .join('');
}

/** The words of an answer, one line for each part. */
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
  /** Such as `7.3`: the number of the point and of the question. It never changes its meaning. */
  readonly id: string;
  readonly text: Paragraph;
  readonly role: Role;
  /** One of the questions to start with. */
  readonly isStart: boolean;
  /** Empty until it is answered. */
  readonly answer: readonly Block[];
  /** The question and its answer, as `SPEC_GAPS.md` has them. */
  readonly markdown: string;
}

/** A file or a folder of the repository, and what goes there. */
export interface Place {
  /** From the top of the repository; a folder ends with a slash. */
  readonly path: string;
  readonly text: Paragraph;
}

/** Number of answered questions, and of all. */
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

/** The progress of the questions to start with, and the time that they take. */
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

/** One point of the specification: what is known of it, what is asked and answered, and what happens until then. */
export interface Gap extends Point {
  readonly known: readonly Paragraph[];
  readonly questions: readonly Question[];
  readonly forNow: readonly Paragraph[];
  /** Places in the code that its answers change. */
  readonly places: readonly Place[];
  /** Its section of `SPEC_GAPS.md`, as it is written there. */
  readonly markdown: string;
}

/** Something neutral that had to be chosen to have something that runs. */
export interface Choice {
  readonly name: string;
  readonly text: Paragraph;
  /** Every place where it is changed. */
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
  /** In the order of `roles`, without those that have no question. */
  readonly progressByRole: readonly RoleProgress[];
  /** In the order of the specification. */
  readonly gaps: readonly Gap[];
  readonly choices: readonly Choice[];
  readonly leftOut: readonly Paragraph[];
}
