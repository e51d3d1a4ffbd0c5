import { createHash } from 'node:crypto';

/** The source in a content security policy that lets a page have these styles in a `<style>` of its own. */
export function hashStyles(styles: string): string {
  return `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;
}
