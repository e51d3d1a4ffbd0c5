import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import project from '../../package.json' with { type: 'json' };
import { listSource } from '../../scripts/source-files.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };

const files = await listSource(projectFolder);
/** Folders that tools write. */
const outputs = read('.gitignore')
  .split('\n')
  .filter((line) => line.endsWith('/'));

it.each(files.filter((file) => /^(?:docs\/.*|[^/]*)\.md$/.test(file)))(
  'every path, command and link in %s exists',
  (document) => {
    expect(findWrongClaims(document, read(document))).toEqual([]);
  },
);

it('manifest.json and package.json have the same version', () => {
  expect(manifest.version).toBe(project.version);
});

it.each([
  ['name', messages.extension_name.message, 45],
  ['description', messages.extension_description.message, 132],
])('the %s of the extension is not longer than the stores allow', (_key, text, most) => {
  expect(text.length).toBeLessThanOrEqual(most);
});

it('package.json pins each version', () => {
  const versions = Object.entries({ ...project.dependencies, ...project.devDependencies });

  expect(versions.filter(([, version]) => !/^[\d.]+(?:-[\w.]+)?$/.test(version))).toEqual([]);
});

/** Returns the paths, commands and links of a document that do not exist. Other prose is not checked. */
function findWrongClaims(document: string, markdown: string): string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, '');
  const known = [...files, ...allOf(markdown, /^```\w+ (\S+)$/gm)];
  const codes = [...allOf(prose, /`([^`]+)`/g), ...allOf(markdown, /^```sh$(.*?)^```/gms)];
  const links = [...allOf(prose, /\]\(([^)\s]+)\)/g), ...allOf(prose, /(?:src|srcset|href)="([^"]+)"/g)];
  return [
    ...codes.flatMap((code) => code.split(/\s+/)).filter((word) => isPath(word) && !isThere(word, known)),
    ...codes.flatMap((code) => allOf(code, /\bnpm (?:run )?([\w:-]+)/g)).filter((name) => !isScript(name)),
    ...links.filter((link) => !link.startsWith('https://') && !leadsSomewhere(document, link)),
  ];
}

/** Returns `true` if a word of code names a file or a folder of the project. */
function isPath(word: string): boolean {
  if (!/^[\w.@*{},/-]+$/.test(word) || outputs.some((folder) => `${word}/`.startsWith(folder))) return false;
  const [top, below] = word.split('/');
  return (
    /\w\.(?:css|html|js|json|md|png|svg|tsx?|ya?ml)$/.test(word) ||
    (below !== undefined && files.some((file) => file.startsWith(`${top}/`)))
  );
}

/** Returns `true` if a path exists. It may omit its first folders, and `*` and `{a,b}` are patterns. */
function isThere(path: string, known: readonly string[]): boolean {
  const pattern = path
    .replace(/\/$/, '')
    .replaceAll('.', String.raw`\.`)
    .replaceAll('*', '[^/]+')
    .replaceAll(/\{([^}]*)\}/g, (_, options: string) => `(?:${options.replaceAll(',', '|')})`);
  return known.some((file) => new RegExp(`(?:^|/)${pattern}(?:/|$)`).test(file));
}

function isScript(name: string): boolean {
  return (
    Object.hasOwn(project.scripts, name) || ['audit', 'ci', 'install', 'outdated', 'version'].includes(name)
  );
}

/** Returns `true` if the file of a link exists, and has the heading behind `#`. */
function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? document : posix.join(posix.dirname(document), path);
  if (!files.some((file) => file === target || file.startsWith(`${target}/`))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

/** Returns the headings of a document, as they are in links. */
function headingsOf(document: string): readonly string[] {
  return allOf(read(document), /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

function allOf(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, found = '']) => found);
}

function read(file: string): string {
  return readFileSync(`${projectFolder}/${file}`, 'utf8');
}
