/** Bytes that the extension's state takes up in this browser. */
export type MeasureStorage = () => Promise<number>;
