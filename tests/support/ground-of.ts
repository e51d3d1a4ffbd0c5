import type { View } from '../../scripts/browsers/running-extension.ts';

/** 0 to 255 each. */
interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** The colour of a picture beside and below what the pages show, where their ground is. A page does the decoding. */
export function groundOf(page: View, picture: Buffer): Promise<Colour> {
  return page.evaluate(async (data): Promise<Colour> => {
    const bytes = Uint8Array.from(atob(data), (char) => char.codePointAt(0) ?? 0);
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    if (context === null) throw new Error('There is nothing to draw on');
    context.drawImage(image, Math.round(-0.94 * image.width), Math.round(-0.85 * image.height));
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    return { red, green, blue, alpha };
  }, picture.toString('base64'));
}
