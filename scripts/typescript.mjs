// Node runs the TypeScript files of this project with `--import ./scripts/typescript.mjs`.
const folder = process.cwd();

if (/[?#]/u.test(folder)) {
  console.error(`Vite cannot read files in ${folder}. Rename the folder so that it has no "?" and no "#".`);
  process.exit(1);
}
try {
  await import('tsx');
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  // npm leaves them out when NODE_ENV is "production".
  console.error('The tools for development are not installed. Run `npm ci --include=dev`.');
  process.exit(1);
}
