import { gaps } from '../../SPEC_GAPS.md';
import { AboutView } from './about-view.tsx';
import type { MeasureStorage } from './measure-storage.ts';
import { MessagesView } from './messages/messages-view.tsx';
import { PointView } from './point-view.tsx';
import { PreferencesView } from './preferences-view.tsx';
import type { Route } from './route.ts';
import { SpecificationView } from './specification-view.tsx';
import { UnknownAddress } from './unknown-address.tsx';

interface ViewProps {
  readonly route: Route;
  readonly measureStorage: MeasureStorage;
}

/** The view that an address names. */
export function View({ route, measureStorage }: ViewProps) {
  switch (route.view) {
    case 'specification':
      return <SpecificationView gaps={gaps} />;
    case 'point':
      return gaps
        .filter(({ id }) => id === route.id)
        .map((gap) => <PointView key={gap.id} gap={gap} gaps={gaps} />);
    case 'preferences':
      return <PreferencesView />;
    case 'messages':
      return <MessagesView />;
    case 'about':
      return <AboutView measureStorage={measureStorage} />;
    case 'unknown':
      return <UnknownAddress key={route.address} address={route.address} />;
  }
}
