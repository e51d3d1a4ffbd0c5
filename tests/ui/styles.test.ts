import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => `src/${file}`);

it.each(files.filter((file) => file.endsWith('.css')))('every class of %s is used', (sheet) => {
  // A module is used by the components in its folder. Other sheets are used by all components.
  const folder = sheet.endsWith('.module.css') ? dirname(sheet) : 'src';
  const code = files
    .filter((file) => file.startsWith(`${folder}/`) && file.endsWith('.tsx'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const classes = readFileSync(sheet, 'utf8')
    .replaceAll(/\/\*.*?\*\/|:global\([^)]*\)/gsu, '')
    .matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/giu);

  const unused = new Set(
    Array.from(classes, ([, name = '']) => name).filter(
      (name) => !new RegExp(`\\b${name}\\b`, 'u').test(code),
    ),
  );

  expect([...unused]).toEqual([]);
});

it.each(files.filter((file) => /^src\/(?:ui|options|popup)\/.*\.css$/u.test(file)))(
  'the rules of %s are in layers, so that the utilities of Tailwind and styles without a layer override them',
  (sheet) => {
    const starts = readFileSync(sheet, 'utf8').matchAll(/^[^\s/*}].*/gmu);

    const outside = Array.from(starts, ([start]) => start).filter(
      (start) => !/^@layer (?:elements|parts|views) \{$/u.test(start),
    );
    const order = '@layer theme, base, elements, parts, views, components, utilities;';
    expect(outside).toEqual(sheet === 'src/ui/base.css' ? [order, 'body {'] : []);
  },
);
