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
