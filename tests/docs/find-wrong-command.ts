import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { browserNames } from '../../scripts/browsers/find-browser.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import packageJson from '../../package.json' with { type: 'json' };

const scripts: Readonly<Record<string, string>> = packageJson.scripts;

/** Commands of npm itself that a document may name. */
const OF_NPM = ['audit', 'ci', 'install', 'version'];

/** What is wrong with a command line: a script, a tool, a file or a flag that is not there. Knows npm, npx and node. */
export function findWrongCommand(line: string): string | undefined {
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
