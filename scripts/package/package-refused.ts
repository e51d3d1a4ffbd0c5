/** Nothing is packaged, because nobody could say later what was in it. */
export class PackageRefused extends Error {
  override readonly name = 'PackageRefused';
  readonly reason: 'dirty' | 'no-repository';

  constructor(reason: PackageRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
