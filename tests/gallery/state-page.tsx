import { OptionsPage } from '../../src/options/options.tsx';
import { PopupPage } from '../../src/popup/popup.tsx';
import type { Extension } from '../../src/ui/extension.ts';
import { Page } from '../../src/ui/page.tsx';
import type { GalleryState } from './gallery-state.ts';

interface StatePageProps {
  readonly name: string;
  readonly subject: GalleryState['subject'];
  readonly extension: Extension;
}

/** The subject of a state, as the extension shows it. */
export function StatePage({ name, subject, extension }: StatePageProps) {
  if (subject === 'popup') return <PopupPage extension={extension} openOptions={async () => {}} />;
  if (typeof subject === 'string') return <OptionsPage extension={extension} />;
  if ('page' in subject) return <Page extension={extension}>{subject.page}</Page>;
  return (
    <Page extension={extension}>
      <main className="part">
        <h1 className="visually-hidden">{name}</h1>
        {subject.part}
      </main>
    </Page>
  );
}
