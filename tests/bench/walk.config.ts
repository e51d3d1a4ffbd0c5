import { relative, resolve } from 'node:path';
import { type Node, walk } from 'estree-walker';
import MagicString from 'magic-string';
import { mergeConfig, type Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

import { projectFolder } from '../../scripts/project-folder.ts';
import settings from '../../vite.config.ts';

/** Adds a call of `globalThis.enter` to the start of each function of the core. */
const instrument: Plugin = {
  name: 'instrument',
  enforce: 'post',
  transform(code, id) {
    const path = relative(projectFolder, id);
    if (!path.startsWith('src/messaging/') && !path.startsWith('src/platform/')) return undefined;
    const text = new MagicString(code);
    let functions = 0;
    walk(this.parse(code) as Node, {
      enter(node) {
        if (!/Function/u.test(node.type) || !('body' in node) || Array.isArray(node.body)) return;
        const { body } = node as unknown as { body: { type: string; start: number; end: number } };
        functions += 1;
        const enter = `globalThis.enter?.(${JSON.stringify(path)}, ${functions})`;
        if (body.type === 'BlockStatement') text.appendRight(body.start + 1, `${enter};`);
        else text.appendRight(body.start, `(${enter}, `).appendLeft(body.end, ')');
      },
    });
    return { code: text.toString() };
  },
};

// npm run walk: see tests/bench/walk.ts.
export default defineConfig((env) =>
  mergeConfig(settings(env), {
    plugins: [instrument],
    resolve: { alias: { 'webextension-polyfill': resolve('tests/support/browser.ts') } },
    test: { include: ['tests/bench/walk.ts'] },
  }),
);
