/** What `sendMalformedFrames` finds where nothing came of the frames but typed errors. */
export const unharmed = {
  unexpected: [],
  closedPorts: 0,
  isSameWorker: true,
  handled: 0,
  uncaught: [],
  polluted: [],
  console: [],
} as const;
