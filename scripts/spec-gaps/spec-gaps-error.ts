/** A place in a file; line and column count from 1, as editors do. */
export interface SourcePoint {
  readonly line: number;
  readonly column: number;
}

/** `SPEC_GAPS.md` is not written the way the pages need it: where, what should stand there and what does. */
export class SpecGapsError extends Error {
  override readonly name = 'SpecGapsError';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  readonly found: string;

  constructor(file: string, { line, column }: SourcePoint, expected: string, found: string) {
    super(`${file}:${line}:${column}: expected ${expected}, found ${found}`);
    this.file = file;
    this.line = line;
    this.column = column;
    this.expected = expected;
    this.found = found;
  }
}
