import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

const styles = Object.keys(import.meta.glob('../../{src,tests}/**/*.module.css'));

describe('the names of classes', () => {
  it('are told apart by the names of their files', () => {
    const files = styles.map((path) => basename(path));

    expect(files.length).toBeGreaterThan(20);
    expect(new Set(files).size).toBe(files.length);
  });
});
