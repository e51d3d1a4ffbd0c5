import { describe, expect, it } from 'vitest';

import { servePage } from '../../scripts/develop/page.ts';
import { developmentPolicy } from '../../scripts/develop/policy.ts';

const SERVER = 'http://localhost:5173';

describe('the policy of development', () => {
  it('adds the server and inline styles to the policy of the manifest, and leaves out Trusted Types', () => {
    const stated =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    expect(developmentPolicy(stated, SERVER).split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' ${SERVER}`,
      `style-src 'self' ${SERVER} 'unsafe-inline'`,
      `img-src 'self' ${SERVER}`,
      `font-src 'self' ${SERVER}`,
      `connect-src 'self' ${SERVER} ws://localhost:5173`,
      "frame-ancestors 'none'",
    ]);
  });

  it.each([
    ["img-src 'none'", `img-src ${SERVER}`],
    ["default-src 'self' https://a.example", `img-src 'self' https://a.example ${SERVER}`],
    [
      "default-src 'none'; connect-src https://a.example;",
      `connect-src https://a.example ${SERVER} ws://localhost:5173`,
    ],
  ])('from "%s" has "%s"', (stated, directive) => {
    expect(developmentPolicy(stated, SERVER).split('; ')).toContain(directive);
  });
});

it('a page of development loads its scripts and styles from the server, also those inside its HTML', () => {
  const html = [
    '<script type="module" src="/@vite/client"></script>',
    '<script type="module">import "/@react-refresh";</script>',
    '<link rel="stylesheet" href="../ui/base.css" />',
    '<script type="module" src="./main.tsx"></script>',
    '<a href="#/questions">Questions</a>',
  ];

  const { html: served, scripts } = servePage(html.join('\n'), 'src/options/index.html', SERVER);

  expect(served.split('\n')).toEqual([
    `<script type="module" src="${SERVER}/@vite/client"></script>`,
    `<script type="module" src="${SERVER}/@page/src/options/index.html/0.js"></script>`,
    `<link rel="stylesheet" href="${SERVER}/src/ui/base.css" />`,
    `<script type="module" src="${SERVER}/src/options/main.tsx"></script>`,
    '<a href="#/questions">Questions</a>',
  ]);
  expect([...scripts]).toEqual([['/@page/src/options/index.html/0.js', 'import "/@react-refresh";']]);
});
