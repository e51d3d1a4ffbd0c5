import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { projectFolder } from '../../scripts/project-folder.ts';
import { guideBlocks } from '../support/project-copy.ts';
import { findWrongCommand } from './find-wrong-command.ts';
import { findWrongPath } from './find-wrong-path.ts';
import { markdownClaims } from './markdown-claims.ts';
import { outputFolders, projectFiles } from './project-files.ts';

const files = projectFiles();

/** Every path, command and link of a document that leads nowhere, as a sentence each. What its own blocks make is there. */
export function findWrongClaims(document: string, markdown: string): string[] {
  const { codes, shellLines, addresses, anchors } = markdownClaims(markdown);
  const known = [...files, ...guideBlocks(markdown).map(({ path }) => path)];

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
  if (path !== '' && !files.some((file) => file === target || file.startsWith(`${target}/`))) return false;
  if (anchor === undefined) return path !== '';
  return path === '' ? ownAnchors.includes(anchor) : anchorsOf(target).includes(anchor);
}

function anchorsOf(document: string): readonly string[] {
  return markdownClaims(readFileSync(join(projectFolder, document), 'utf8')).anchors;
}
