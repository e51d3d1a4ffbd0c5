/** One way to write the file wrongly, and what the writer is told. */
export interface Malformation {
  readonly name: string;
  /** What of the sample is replaced; occurs in it once. */
  readonly from: string;
  readonly to: string;
  readonly message: string;
}
