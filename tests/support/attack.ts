/** What a hostile script saw. */
export interface AttackReport {
  readonly calls: number;
  /** Ports that the other end closed, of those that were opened. */
  readonly closed: number;
  readonly opened: number;
  /** Whatever was answered, at most five of it. */
  readonly heard: readonly unknown[];
}

/**
 * Makes 10,000 calls, four in five over ports and the rest as messages, to the extension with this id or, for '', the
 * script's own, and writes its report into the title of the page. Runs in the browser: refers to nothing outside itself.
 */
export async function attack(frames: readonly unknown[], target: string): Promise<void> {
  const heard: unknown[] = [];
  let [calls, opened, closed] = [0, 0, 0];
  const hear = (answer: unknown): void => {
    void chrome.runtime.lastError;
    if (answer !== undefined && heard.length < 5) heard.push(answer);
  };

  function callOverPort(): Promise<void> {
    return new Promise((resolve) => {
      const port = target === '' ? chrome.runtime.connect() : chrome.runtime.connect(target);
      opened += 1;
      port.onMessage.addListener(hear);
      port.onDisconnect.addListener(() => {
        void chrome.runtime.lastError;
        closed += 1;
        resolve();
      });
      for (let count = 0; count < 40; count += 1) {
        port.postMessage([frames[count % frames.length]]);
        calls += 1;
      }
    });
  }
  async function callByMessage(frame: unknown): Promise<void> {
    calls += 1;
    await (
      target === '' ? chrome.runtime.sendMessage(frame) : chrome.runtime.sendMessage(target, frame)
    ).then(hear, () => {});
  }

  for (let round = 0; round < 25; round += 1) {
    await Promise.all(Array.from({ length: 8 }, callOverPort));
    await Promise.all(Array.from({ length: 80 }, (_, index) => callByMessage(frames[index % frames.length])));
  }
  document.title = JSON.stringify({ calls, closed, opened, heard } satisfies AttackReport);
}
