import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

import { ensureBrowser } from './browsers/find-browser.ts';
import { runCommand } from './command.ts';
import { projectFolder } from './project-folder.ts';

interface Grid {
  /** Space around the grid, space between the cells, and size of a cell, all in px. */
  readonly inset: number;
  readonly gap: number;
  readonly cell: number;
  readonly stroke: number;
  readonly radius: number;
  /** Length of the line from each corner. If it is missing, the outline is closed, because dashes would be as small as dots. */
  readonly corner?: number;
  /** Length of a dash in the middle of each side. */
  readonly middle?: number;
}

/** Has a contrast of at least 3 : 1 with light and dark toolbars. */
const INK = '#2b9373';

/** The grid of each icon size that the manifest names, in px. */
const grids: Readonly<Record<number, Grid>> = {
  16: { inset: 0, gap: 2, cell: 4, stroke: 1, radius: 0 },
  32: { inset: 0, gap: 4, cell: 8, stroke: 2, radius: 0 },
  48: { inset: 1, gap: 5, cell: 12, stroke: 2, radius: 1, corner: 2 },
  128: { inset: 10, gap: 9, cell: 30, stroke: 4, radius: 6, corner: 1, middle: 5 },
};

// npm run icons: draws the icons. Run it after a change of the drawing, and commit the pictures.
await runCommand(async () => {
  const executablePath = await ensureBrowser('chromium');
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    for (const [name, grid] of Object.entries(grids)) {
      const size = Number(name);
      await page.setViewport({ width: size, height: size });
      await page.setContent(`<body style="display: grid; margin: 0">${drawIcon(size, grid)}`);
      const picture = await page.screenshot({ omitBackground: true });
      await writeFile(join(projectFolder, 'src/static/icons', `${size}.png`), picture);
    }
  } finally {
    await browser.close();
  }
});

/** Returns the grid of nine cells as SVG. It is drawn for one size, so that its edges are on whole pixels. */
function drawIcon(size: number, grid: Grid): string {
  const starts = [0, 1, 2].map((index) => grid.inset + index * (grid.cell + grid.gap) + grid.stroke / 2);
  const cells = starts.flatMap((y) => starts.map((x) => `M${x} ${y}${drawCell(grid)}`));
  const pen = `fill="none" stroke="${INK}" stroke-linejoin="round" stroke-width="${grid.stroke}"`;
  return `<svg width="${size}" height="${size}"><path ${pen} d="${cells.join('')}"/></svg>`;
}

/** Returns the path of one cell, clockwise from its upper left corner. Each side ends with a corner. */
function drawCell({ cell, stroke, radius, corner, middle = 0 }: Grid): string {
  const side = cell - stroke;
  if (corner === undefined) return `h${side}v${side}h${-side}z`;

  const pause = (side - 2 * radius - 2 * corner - middle) / 2;
  const drawSide = (x: number, y: number): string => {
    const go = (command: string, length: number): string => `${command}${x * length} ${y * length}`;
    const dashes = [go('l', corner), go('m', pause), go('l', middle), go('m', pause), go('l', corner)];
    // A quarter turn to the right.
    return `${dashes.join('')}a${radius} ${radius} 0 0 1 ${(x - y) * radius} ${(x + y) * radius}`;
  };
  return `m${radius} 0${drawSide(1, 0)}${drawSide(0, 1)}${drawSide(-1, 0)}${drawSide(0, -1)}`;
}
