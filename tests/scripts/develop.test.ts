import { describe, expect, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { servePage } from '../../scripts/develop/page.ts';
import { developmentPolicy } from '../../scripts/develop/policy.ts';

const SERVER = 'http://localhost:5173';

describe('the policy of development', () => {
  it('adds the server and inline styles to the policy of the manifest, and leaves out Trusted Types', () => {
    const policy = developmentPolicy(manifest.content_security_policy.extension_pages, SERVER);

    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' ${SERVER}`,
      `style-src 'self' ${SERVER} 'unsafe-inline'`,
      `img-src 'self' ${SERVER}`,
      `font-src 'self' ${SERVER}`,
      `connect-src 'self' ${SERVER} ws://localhost:5173`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
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
