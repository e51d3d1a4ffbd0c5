/** Runs in a page of the core's test extension: shows the counter in the title, now and after every change. */
export function followCounter(): void {
  const show = async (): Promise<void> => {
    for await (const count of client.subscribe('counter.watch')) document.title = String(count);
  };
  void show();
}
