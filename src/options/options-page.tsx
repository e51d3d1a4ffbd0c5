import type { Extension } from '../ui/extension.ts';
import { Page } from '../ui/page.tsx';
import type { MeasureStorage } from './measure-storage.ts';
import { Options } from './options.tsx';

interface OptionsPageProps {
  readonly extension: Extension;
  readonly measureStorage: MeasureStorage;
}

/** The options page, whole: `main.tsx` brings it to life, the build renders its frame. */
export function OptionsPage({ extension, measureStorage }: OptionsPageProps) {
  return (
    <Page extension={extension}>
      <Options measureStorage={measureStorage} />
    </Page>
  );
}
