import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

import { projectFolder } from '../project-folder.ts';

interface ToolResult {
  readonly succeeded: boolean;
  /** Standard output and standard error, in the order in which they came. */
  readonly output: string;
}

/**
 * Runs the command that an installed package provides, with Node itself: the `.bin` shims are shell scripts on one
 * system and `.cmd` files on another. Rejects when the package has no such command.
 */
export async function runTool(name: string, args: readonly string[]): Promise<ToolResult> {
  const script = await scriptOf(name);
  const child = spawn(process.execPath, [script, ...args], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);

  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal) output += `\n${name} was ended by ${signal}`;
      resolve({ succeeded: code === 0, output });
    });
  });
}

const packageNames: Readonly<Record<string, string>> = { tsc: 'typescript' };
const Package = v.object({ bin: v.union([v.string(), v.record(v.string(), v.string())]) });

async function scriptOf(name: string): Promise<string> {
  const folder = join(projectFolder, 'node_modules', packageNames[name] ?? name);
  const { bin } = v.parse(Package, JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const script = typeof bin === 'string' ? bin : bin[name];
  if (script === undefined) throw new Error(`${folder} has no command ${name}`);
  return join(folder, script);
}
