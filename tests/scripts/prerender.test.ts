import { expect, it } from 'vitest';

import { fillIn } from '../../scripts/plugins/prerender.ts';

const messages = { name: { message: `</title><img alt='"&'>` } };

it('escapes the messages that it inserts into a page', () => {
  const page = fillIn('<title>__MSG_name__</title>', messages);

  expect(page).toBe('<title>&#60;/title&#62;&#60;img alt=&#39;&#34;&#38;&#39;&#62;</title>');
});

it('rejects a page that names a message which does not exist', () => {
  expect(() => fillIn('<title>__MSG_title__</title>', messages)).toThrow('"title", which does not exist');
});
