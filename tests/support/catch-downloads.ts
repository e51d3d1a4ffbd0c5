/** Runs in a page: lets its downloads end in `data-saved` of the body and not in files. */
export function catchDownloads(): void {
  delete document.body.dataset['saved'];
  URL.createObjectURL = (source) => {
    void read(source as Blob);
    return '#caught';
  };
  HTMLAnchorElement.prototype.click = () => {};

  async function read(blob: Blob): Promise<void> {
    document.body.dataset['saved'] = await blob.text();
  }
}
