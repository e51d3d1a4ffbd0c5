/**
 * Runs in a web page: tries to get at each of these files of an extension in every way that a page has. Gives the ways
 * that worked, in the form `fetch manifest.json`. What is framed says so itself: a message with its path.
 *
 * @param frames how many are expected to say so; for none a second is waited, for some until they do or 20 s are over
 */
export async function readFiles(origin: string, paths: readonly string[], frames: number): Promise<string[]> {
  const worked: string[] = [];
  addEventListener('message', ({ data }) => worked.push(`frame ${String(data)}`));

  const load = (tag: string, attributes: Readonly<Record<string, string>>): Promise<boolean> =>
    new Promise((resolve) => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.addEventListener('load', () => resolve(true));
      element.addEventListener('error', () => resolve(false));
      document.body.append(element);
    });
  const ways: Readonly<Record<string, (src: string) => Promise<unknown>>> = {
    fetch: async (src) => (await fetch(src)).text(),
    script: async (src) => (await load('script', { src })) || Promise.reject(new Error('refused')),
    style: async (href) =>
      (await load('link', { rel: 'stylesheet', href })) || Promise.reject(new Error('refused')),
    image: async (src) => (await load('img', { src })) || Promise.reject(new Error('refused')),
  };

  await Promise.all(
    paths.flatMap((path) => {
      void load('iframe', { src: `${origin}/${path}` });
      return Object.entries(ways).map(([way, attempt]) =>
        attempt(`${origin}/${path}`).then(
          () => worked.push(`${way} ${path}`),
          () => undefined,
        ),
      );
    }),
  );
  const hasAll = (): boolean =>
    frames > 0 && worked.filter((way) => way.startsWith('frame')).length >= frames;
  for (let left = frames === 0 ? 10 : 200; left > 0 && !hasAll(); left -= 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  return worked.toSorted();
}
