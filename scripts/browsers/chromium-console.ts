import {
  type Browser,
  type CDPSession,
  type Page,
  type Protocol,
  type Target,
  TargetType,
} from 'puppeteer-core';

import type { ConsoleEntry } from './running-extension.ts';

interface ChromiumConsole {
  /** Starts to listen to the pages below this origin, those that are open and those to come. */
  watch(origin: string): Promise<void>;
  read(extensionId: string): Promise<readonly ConsoleEntry[]>;
}

/**
 * Collects what the extension writes. Pages are listened to through the DevTools protocol, which replays what was
 * written before the session began. The worker is not: a DevTools session would keep it awake, and its sleep is
 * part of what is tested. Its errors (not its warnings) and a failed registration are read from the list behind
 * the "Errors" button of chrome://extensions, which Chromium keeps in developer mode, at most 100 entries.
 */
export async function createChromiumConsole(
  browser: Browser,
  extensionsPage: Page,
): Promise<ChromiumConsole> {
  const entries: ConsoleEntry[] = [];
  const watched = new WeakSet<Target>();
  await extensionsPage.goto('chrome://extensions/');
  await extensionsPage.evaluate(
    'chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })',
  );

  async function watchTarget(target: Target, origin: string): Promise<void> {
    if (watched.has(target) || target.type() !== TargetType.PAGE || !target.url().startsWith(`${origin}/`))
      return;
    watched.add(target);
    // A page that closes in this moment ends its session; then there is nothing left to listen to.
    await target.createCDPSession().then(
      (session) => listen(session, target, origin, entries),
      () => undefined,
    );
  }

  return {
    async watch(origin) {
      const onTarget = (target: Target): void => void watchTarget(target, origin);
      browser.on('targetcreated', onTarget);
      browser.on('targetchanged', onTarget);
      await Promise.all(browser.targets().map((target) => watchTarget(target, origin)));
    },
    async read(extensionId) {
      return [...entries, ...(await readWorkerErrors(extensionsPage, extensionId))];
    },
  };
}

async function listen(
  session: CDPSession,
  target: Target,
  origin: string,
  entries: ConsoleEntry[],
): Promise<void> {
  const add = (level: ConsoleEntry['level'], text: string, source = target.url()): void => {
    // The session outlives a navigation, and what another site writes is not the extension's.
    if (target.url().startsWith(`${origin}/`)) entries.push({ level, text, source });
  };
  session.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
    const level = type === 'warning' ? 'warning' : 'error';
    if (type === 'warning' || type === 'error' || type === 'assert') {
      add(level, args.map(describe).join(' '), stackTrace?.callFrames[0]?.url);
    }
  });
  session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, url } }) => {
    add('error', exception?.description ?? text, url);
  });
  session.on('Log.entryAdded', ({ entry: { level, text, url } }) => {
    if (level === 'warning' || level === 'error') add(level, text, url);
  });
  await Promise.allSettled([session.send('Runtime.enable'), session.send('Log.enable')]);
}

function describe({ value, description, type }: Protocol.Runtime.RemoteObject): string {
  return typeof value === 'string' ? value : (description ?? type);
}

async function readWorkerErrors(extensionsPage: Page, extensionId: string): Promise<readonly ConsoleEntry[]> {
  const errors: unknown = await extensionsPage.evaluate(`(async () => {
    const { manifestErrors, runtimeErrors } =
      await chrome.developerPrivate.getExtensionInfo(${JSON.stringify(extensionId)});
    return [
      ...manifestErrors.filter(({ message }) => message.startsWith('Service worker registration failed')),
      ...runtimeErrors.filter(({ isServiceWorker }) => isServiceWorker),
    ].map(({ message, source }) => ({ level: 'error', text: message, source }));
  })()`);
  return errors as readonly ConsoleEntry[];
}
