import type { CDPSession, Protocol } from 'puppeteer-core';

type Node = Protocol.Accessibility.AXNode;

/** Of a node's many properties those that are read out. */
const READ_OUT = new Set([
  'level',
  'checked',
  'pressed',
  'expanded',
  'disabled',
  'required',
  'invalid',
  'modal',
  'live',
  'focused',
]);

/** The page as assistive technology is given it: a line each for what it is told of, indented by what it is within. */
export async function readChromiumTree(session: CDPSession): Promise<string> {
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const [root] = nodes;
  return root === undefined ? '' : render(root, 0).join('\n');

  function render(node: Node, depth: number): string[] {
    const role = String(node.role?.value ?? '');
    // The boxes of lines and the text of what is named already say nothing more.
    if (role === 'InlineTextBox') return [];
    const line = node.ignored || role === 'generic' ? undefined : describe(node, role);
    const children = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
    const below = children.flatMap((child) => render(child, line === undefined ? depth : depth + 1));
    return line === undefined ? below : [`${'  '.repeat(depth)}${line}`, ...below];
  }
}

function describe(node: Node, role: string): string {
  const name = String(node.name?.value ?? '');
  const description = String(node.description?.value ?? '');
  const properties = (node.properties ?? [])
    .filter((property) => READ_OUT.has(property.name) && property.value.value !== false)
    .map((property) => `${property.name}=${String(property.value.value)}`)
    .filter((property) => !['invalid=false', 'checked=false'].includes(property));
  return [role, name && JSON.stringify(name), description && `(${description})`, ...properties]
    .filter((part) => part !== '')
    .join(' ');
}
