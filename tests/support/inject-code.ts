/* oxlint-disable no-eval, no-implied-eval, no-new-func, no-script-url, no-unsafe-call -- all this is what the policy has to stop */

/**
 * Tries every way to get foreign code or content into the page that it runs in, or data out of it. What succeeds is to be
 * found in `data-done` of the document or among what the server is asked for. Refers to nothing outside itself. A debugger
 * may evaluate text whatever the policy, so each attempt is a task of its own, as the page's code would be.
 */
export function injectCode(server: string): void {
  const root = document.documentElement;
  const done = (name: string): void => {
    root.dataset['done'] = JSON.stringify([...(JSON.parse(root.dataset['done'] ?? '[]') as string[]), name]);
  };
  addEventListener('message', ({ data }) => done(String(data)));
  const telling = (name: string): string => `postMessage('${name}', '*')`;
  const framed = (name: string): string => `<script>parent.postMessage('${name}', '*')</script>`;
  const append = (tag: string, attributes: Readonly<Record<string, string>>, text = ''): HTMLElement => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    // A text node, which trusted types do not look at before the script is to run.
    element.append(text);
    document.body.append(element);
    return element;
  };

  const attempts: readonly (() => void)[] = [
    () => append('script', {}, telling('inline script')),
    () => append('button', { type: 'button', onclick: telling('inline handler') }).click(),
    () => (0, eval)(telling('eval')),
    () => new Function(telling('Function'))(),
    () => setTimeout(telling('string timer')),
    () => (append('p', {}).innerHTML = `<img src="data:," onerror="${telling('innerHTML')}">`),
    () => append('iframe', { srcdoc: framed('srcdoc') }),
    () => append('a', { href: `javascript:void ${telling('javascript: link')}` }).click(),
    () => append('iframe', { src: `data:text/html,${framed('data: frame')}` }),
    () => append('script', { src: `data:text/javascript,${telling('data: script')}` }),
    () => {
      const code = new Blob([`postMessage('blob worker')`], { type: 'text/javascript' });
      new Worker(URL.createObjectURL(code)).addEventListener('message', ({ data }) => done(String(data)));
    },
    () => append('script', { src: `${server}remote.js` }),
    () => append('link', { rel: 'stylesheet', href: `${server}remote.css` }),
    () => append('img', { src: `${server}image` }),
    () => append('iframe', { src: `${server}frame` }),
    () => void fetch(`${server}fetch`, { mode: 'no-cors' }),
    () => void navigator.sendBeacon(`${server}beacon`),
    () => new WebSocket(`${server.replace('http', 'ws')}socket`),
    () => {
      const base = append('base', { href: `${server}base/` });
      if (document.baseURI.startsWith(server)) done('base');
      base.remove();
    },
  ];
  for (const attempt of attempts) setTimeout(attempt);
}

/** Runs in the page as well: sends a form, which ends the page where that is allowed. */
export function submitForm(server: string): void {
  const form = document.createElement('form');
  form.action = `${server}form`;
  document.body.append(form);
  setTimeout(() => form.submit());
}
