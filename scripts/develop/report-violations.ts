import type { Violation } from './policy-violations.ts';

/**
 * Reports to Vite's server what a page does and manifest.json does not allow. The policy of development refuses most of it too.
 * It allows styles inside the page, and texts that become HTML or scripts, because Vite needs both, so this looks for those.
 */
export function reportViolations(): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, sample }) => {
    report({ effectiveDirective, blockedURI, sourceFile, sample });
  });

  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLStyleElement) || node.dataset['viteDevId'] !== undefined) continue;
      const sample = node.textContent.trim().slice(0, 40);
      report({ effectiveDirective: 'style-src-elem', blockedURI: 'inline', sourceFile: '', sample });
    }
  }).observe(document, { childList: true, subtree: true });

  globalThis.Worker = class extends Worker {
    constructor(...[address, options]: ConstructorParameters<typeof Worker>) {
      if (typeof address === 'string' || address instanceof URL) reportSink(`new Worker(${String(address)})`);
      super(address, options);
    }
  };

  const innerHtml = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...innerHtml,
    set(this: Element, html: unknown) {
      if (typeof html === 'string') reportSink(`innerHTML = ${html.slice(0, 40)}`);
      innerHtml?.set?.call(this, html);
    },
  });
}

/** Reports a text that Trusted Types would refuse. */
function reportSink(sample: string): void {
  const effectiveDirective = 'require-trusted-types-for';
  report({ effectiveDirective, blockedURI: 'trusted-types-sink', sourceFile: '', sample });
}

function report(violation: Violation): void {
  import.meta.hot?.send('page:violation', violation);
}
