/**
 * The middle of an element in CSS px of the viewport, or `undefined` while a click there would not reach it.
 * Runs inside the page, hence everything it needs is inside it.
 */
export function elementPoint(selector: string): { readonly x: number; readonly y: number } | undefined {
  const element = document.querySelector(selector);
  if (!element || element.matches(':disabled')) return undefined;

  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  // A link that wraps over two lines has two boxes, and the middle of both together may belong to neither.
  const box = element.getClientRects()[0];
  if (!box) return undefined;

  const x = Math.round(box.left + box.width / 2);
  const y = Math.round(box.top + box.height / 2);
  const hit = document.elementFromPoint(x, y);
  return element.contains(hit) ? { x, y } : undefined;
}
