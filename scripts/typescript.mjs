// Node runs the TypeScript files of this project with `--import ./scripts/typescript.mjs`.
const folder = process.cwd();

if (/[?#]/u.test(folder)) {
  console.error(`Vite cannot read files in ${folder}. Rename the folder so that it has no "?" and no "#".`);
  process.exit(1);
}
await import('tsx');
