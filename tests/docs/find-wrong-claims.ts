import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

import packageJson from '../../package.json' with { type: 'json' };
import { browserNames } from '../../scripts/browsers/find-browser.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { guideBlocks } from '../support/project-copy.ts';

/** Folders that tools write and that are not committed, as `.gitignore` names them. */
const outputFolders: readonly string[] = readFileSync(join(projectFolder, '.gitignore'), 'utf8')
  .split('\n')
  .filter((line) => line.endsWith('/'));

const present = projectFiles();

/** Every path, command and link of a document that leads nowhere, as a sentence each. What its own blocks make is there. */
export function findWrongClaims(document: string, markdown: string): string[] {
  const { codes, shellLines, addresses, anchors } = markdownClaims(markdown);
  const known = [...present, ...guideBlocks(markdown).map(({ path }) => path)];

  const paths = codes.filter((code) => findWrongPath(code, known, outputFolders) !== undefined);
  const commands = [...codes, ...shellLines].flatMap((line) => {
    const fault = findWrongCommand(line);
    return fault === undefined ? [] : [`\`${line}\` names ${fault}.`];
  });
  const links = addresses.filter((address) => !leadsSomewhere(document, address, anchors));
  return [
    ...paths.map((path) => `\`${path}\` is not there.`),
    ...commands,
    ...links.map((address) => `(${address}) leads nowhere.`),
  ];
}

function leadsSomewhere(document: string, address: string, ownAnchors: readonly string[]): boolean {
  if (/^https:\/\/[\w.-]+\.\w+\//.test(address)) return true;

  const [path = '', anchor] = address.split('#');
  const target = posix.join(posix.dirname(document), path);
  if (path !== '' && !present.some((file) => file === target || file.startsWith(`${target}/`))) return false;
  if (anchor === undefined) return path !== '';
  return path === '' ? ownAnchors.includes(anchor) : anchorsOf(target).includes(anchor);
}

function anchorsOf(document: string): readonly string[] {
  return markdownClaims(readFileSync(join(projectFolder, document), 'utf8')).anchors;
}

const FILE = /^[\w.@*<>{},/-]+\.(?:css|html|js|json|md|png|svg|tsx?|ya?ml)$/;

/** Whether a run of code in a document names a file or a folder of the project. */
function isPath(code: string, files: readonly string[]): boolean {
  if (/\s|:|^[./]*$/.test(code)) return false;
  const [top = '', ...rest] = code.split('/');
  return FILE.test(code) || (rest.length > 0 && files.some((file) => file.startsWith(`${top}/`)));
}

/**
 * The path that a run of code names, if nothing is there. A name without a folder may be anywhere in the project; `*`, `{a,b}`
 * and `<any>` are patterns.
 *
 * @param files of the project, with forward slashes
 * @param outputs folders that tools write, which need not be there
 */
function findWrongPath(
  code: string,
  files: readonly string[],
  outputs: readonly string[],
): string | undefined {
  if (outputs.some((output) => `${code}/`.startsWith(output))) return undefined;
  if (!isPath(code, files) && !/^[\w.-]+(?:\/[\w.-]+)*\/$/.test(code)) return undefined;

  const pattern = new RegExp(`(?:^|/)${patternOf(code.replace(/\/$/, ''))}(?:/|$)`);
  const [top] = code.split('/');
  const isFromTop = files.some((file) => file.startsWith(`${top}/`));
  const found = files.some((file) => {
    const match = pattern.exec(file);
    return match !== null && (!isFromTop || match.index === 0);
  });
  return found ? undefined : code;
}

function patternOf(path: string): string {
  return path
    .replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**', '.+')
    .replaceAll(/(?<!\.)\*|<\w+>/g, '[^/]+')
    .replaceAll(/\{([^}]*)\}/g, (_, options: string) => `(?:${options.replaceAll(',', '|')})`);
}

const scripts: Readonly<Record<string, string>> = packageJson.scripts;

/** Commands of npm itself that a document may name. */
const OF_NPM = ['audit', 'ci', 'install', 'version'];

/** What is wrong with a command line: a script, a tool, a file or a flag that is not there. Knows npm, npx and node. */
function findWrongCommand(line: string): string | undefined {
  const faults = line
    .replace(/(?:^|\s)#.*/, '')
    .split(/&&|\|\||[;|]/)
    .map((command) => faultOf(command.trim().split(/\s+/)));
  return faults.find((fault) => fault !== undefined);
}

function faultOf([tool, ...words]: readonly string[]): string | undefined {
  switch (tool) {
    case 'npm':
      return faultOfNpm(words);
    case 'npx':
      return isInstalled(words[0]) ? undefined : `no tool ${words[0]}`;
    case 'node': {
      const file = words.find((word) => /\.[jt]s$/.test(word));
      return file === undefined || existsSync(join(projectFolder, file)) ? undefined : `no file ${file}`;
    }
    case '--':
      return faultOfFlags(words, Object.keys(scripts).flatMap(flagsOf));
    default:
      return undefined;
  }
}

function faultOfNpm([first = '', ...rest]: readonly string[]): string | undefined {
  if (OF_NPM.includes(first)) return undefined;
  const [name = '', ...words] = first === 'run' ? rest : [first, ...rest];
  const isScript = Object.hasOwn(scripts, name) && (first === 'run' || ['start', 'test'].includes(name));
  return isScript ? faultOfFlags(words, flagsOf(name)) : `no script ${name}`;
}

function faultOfFlags(words: readonly string[], known: readonly string[]): string | undefined {
  const flag = words.find((word) => word.startsWith('--') && word !== '--' && !known.includes(word));
  if (flag !== undefined) return `no flag ${flag}`;

  const browser = words[words.indexOf('--browser') + 1];
  const isNamed = !words.includes('--browser') || browserNames.some((name) => name === browser);
  return isNamed ? undefined : `no browser ${browser}`;
}

/** The flags that a script of the project declares for `parseArgs`. */
function flagsOf(script: string): string[] {
  const file = scripts[script]?.split(' ').find((word) => word.endsWith('.ts'));
  if (file === undefined) return [];
  const source = readFileSync(join(projectFolder, file), 'utf8');
  return [...source.matchAll(/'?([\w-]+)'?: \{ type: '/g)].map(([, name]) => `--${name}`);
}

function isInstalled(tool: string | undefined): boolean {
  return tool !== undefined && existsSync(join(projectFolder, 'node_modules/.bin', tool));
}

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];

/** What a document says that can be wrong. */
interface MarkdownClaims {
  /** Every run of code within a sentence. */
  readonly codes: readonly string[];
  /** Every line that is to be typed into a shell. */
  readonly shellLines: readonly string[];
  /** Where every link and picture leads to. */
  readonly addresses: readonly string[];
  /** What its headings can be linked to by, as GitHub forms it. */
  readonly anchors: readonly string[];
}

function markdownClaims(markdown: string): MarkdownClaims {
  const codes: string[] = [];
  const shellLines: string[] = [];
  const addresses: string[] = [];
  const anchors: string[] = [];

  const visit = (node: Node): void => {
    if (node.type === 'inlineCode') codes.push(node.value);
    else if (node.type === 'code' && node.lang === 'sh') shellLines.push(...node.value.split('\n'));
    else if (node.type === 'link' || node.type === 'image' || node.type === 'definition') {
      addresses.push(node.url);
    } else if (node.type === 'html') {
      addresses.push(
        ...[...node.value.matchAll(/(?:src|srcset|href)="([^"]*)"/g)].map(([, url = '']) => url),
      );
    } else if (node.type === 'heading') anchors.push(anchorOf(toString(node), anchors));
    if ('children' in node) for (const child of node.children) visit(child);
  };
  visit(fromMarkdown(markdown));
  return { codes, shellLines, addresses, anchors };
}

function anchorOf(title: string, taken: readonly string[]): string {
  const anchor = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  const same = taken.filter((other) => other.replace(/-\d+$/, '') === anchor).length;
  return same === 0 ? anchor : `${anchor}-${same}`;
}

/** Every file of the project, from its top, with forward slashes. */
export function projectFiles(folder = ''): string[] {
  return readdirSync(join(projectFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === '.git' || outputFolders.includes(`${path}/`) ? [] : projectFiles(`${path}/`);
  });
}
