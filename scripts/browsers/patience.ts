/** Milliseconds that a driver waits for what a browser does by itself: long, as other work may go on beside it. */
export const patience = 30_000;
