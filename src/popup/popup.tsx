import { points, start } from '../../SPEC_GAPS.md?points';
import { pages } from '../contract/pages.ts';
import { addProgress } from '../contract/spec-gaps.ts';
import { BackgroundStatus } from '../ui/background-status.tsx';
import { type Extension, useTranslate } from '../ui/extension.ts';
import { mountPage, Page } from '../ui/page.tsx';
import { isComplete, type LinkTarget, pointAddress, PointGrid } from '../ui/points.tsx';
import { StorageNotice } from '../ui/storage-notice.tsx';

/** Shows the options page at an address within it, in the tab where it is open already if there is one. */
export type OpenOptions = (hash: string) => Promise<void>;

interface PopupPageProps {
  readonly extension: Extension;
  readonly openOptions: OpenOptions;
}

/** Brings the popup to life: `start.ts` calls this when the page has been painted. */
export function mountPopup(extension: Extension, openOptions: OpenOptions): void {
  mountPage(<PopupPage extension={extension} openOptions={openOptions} />, extension.translate);
}

/** The page behind the toolbar button. */
export function PopupPage({ extension, openOptions }: PopupPageProps) {
  return (
    <Page extension={extension}>
      <Popup openOptions={openOptions} />
    </Page>
  );
}

const look = { grid: 'tiles', cell: 'tile', title: 'title' };

/** Its content. Browsers show at most 600 px of a popup; what is taller scrolls. */
function Popup({ openOptions }: { readonly openOptions: OpenOptions }) {
  const t = useTranslate();
  return (
    <main className="popup">
      <header className="wrap muted header">
        <h1 className="name">{t('extension_name')}</h1>
        <a className="target" {...optionsLink('', openOptions)}>
          {t('popup_all_questions')}
        </a>
      </header>
      <StorageNotice link={optionsLink('#/preferences', openOptions)} />
      <div className="summary">
        <Progress openOptions={openOptions} />
      </div>
      <nav aria-label={t('points')}>
        <PointGrid points={points} look={look} linkTo={(id) => optionsLink(pointAddress(id), openOptions)} />
      </nav>
      <footer className="footer">
        <BackgroundStatus />
      </footer>
    </main>
  );
}

/** What is done and what is next. Both are known when the extension is built, so they are in the first frame. */
function Progress({ openOptions }: { readonly openOptions: OpenOptions }) {
  const t = useTranslate();
  const all = addProgress(points);
  const isStarted = isComplete(start);
  const text = { answered: String(all.answered), total: String(all.total) };
  return (
    <>
      <p>{t('questions_answered', text)}</p>
      {isComplete(all) ? (
        <div className="muted">{t('popup_complete')}</div>
      ) : (
        <div className="muted">
          <div>{t('popup_intro')}</div>
          {isStarted ? (
            <a {...optionsLink('#/questions?open', openOptions)}>
              {t('popup_open', { count: String(all.total - all.answered) })}
            </a>
          ) : (
            <>
              <a {...optionsLink('#/questions?start', openOptions)}>{t('question_start')}</a>
              {' · '}
              {t('popup_start', {
                answered: String(start.answered),
                total: String(start.total),
                minutes: String(start.minutes),
              })}
            </>
          )}
        </div>
      )}
    </>
  );
}

/**
 * A link from the popup to an address within the options page. It is a link like any other (a new tab, a new window,
 * its address copied); a plain click goes to the tab where the page is open already.
 */
function optionsLink(hash: string, openOptions: OpenOptions): LinkTarget {
  const href = `/${pages.options}${hash}`;
  return {
    href,
    target: '_blank',
    onClick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      // The link still leads there when the tab cannot be found.
      openOptions(hash).catch(() => window.open(href));
    },
  };
}
