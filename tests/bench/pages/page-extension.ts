/** A built extension with a popup to be measured. */
export interface PageExtension {
  readonly name: string;
  readonly folder: string;
  /** Path of the popup's page. */
  readonly page: string;
  /** Path of a page that asks the worker something and marks `first-data`: with it the worker is started. */
  readonly waker: string;
}
