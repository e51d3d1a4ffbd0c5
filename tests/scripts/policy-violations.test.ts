import { expect, it } from 'vitest';

import { describeViolation } from '../../scripts/develop/policy-violations.ts';
import manifest from '../../manifest.json' with { type: 'json' };

const policy = manifest.content_security_policy.extension_pages;
const violation = { sourceFile: 'http://localhost:5173/src/ui/view.tsx?t=1', sample: '' };

it.each([
  ['connect-src', 'https://api.example/items?id=1', '', 'add https://api.example to connect-src'],
  ['connect-src', 'wss://api.example/live', '', 'add wss://api.example to connect-src'],
  ['img-src', 'https://img.example:8443/a.png', '', 'add https://img.example:8443 to img-src'],
  ['img-src', 'data', '', 'add data: to img-src'],
  ['font-src', 'https://fonts.example/a.woff2', '', 'add https://fonts.example to font-src'],
  ['frame-src', 'https://frame.example/', '', 'add https://frame.example to frame-src'],
  ['style-src-elem', 'inline', '.a { color: red }', "add 'unsafe-inline' to style-src"],
  ['style-src-attr', 'inline', 'color: red', "add 'unsafe-inline' to style-src"],
  ['script-src', 'wasm-eval', '', "add 'wasm-unsafe-eval' to script-src"],
  ['trusted-types', 'trusted-types-policy', 'dompurify', 'add dompurify to trusted-types'],
  ['script-src-elem', 'https://cdn.example/a.js', '', 'Browsers allow only scripts of the extension'],
  ['script-src', 'eval', '', 'Browsers allow only scripts of the extension'],
  [
    'require-trusted-types-for',
    'trusted-types-sink',
    'new Worker(/a.js)',
    'create the value with a policy that `trusted-types` names',
  ],
])(
  'a violation of %s by %s names the change of manifest.json',
  (effectiveDirective, blockedURI, sample, change) => {
    const sentence = describeViolation({ ...violation, effectiveDirective, blockedURI, sample }, policy);

    expect(sentence).toContain('src/ui/view.tsx: builds refuse');
    expect(sentence).toContain('manifest.json');
    expect(sentence).toContain(change);
  },
);

it.each([
  ['connect-src', 'https://api.example/', "connect-src 'self' https://api.example"],
  ['style-src-elem', 'inline', "default-src 'none'; style-src 'self' 'unsafe-inline'"],
  ['require-trusted-types-for', 'trusted-types-sink', "default-src 'none'"],
  ['img-src', 'https://img.example/a.png', "script-src 'self'"],
])('what the policy allows is not described: %s %s', (effectiveDirective, blockedURI, allowing) => {
  expect(describeViolation({ ...violation, effectiveDirective, blockedURI }, allowing)).toBeUndefined();
});
