import type { Gap } from '../contract/spec-gaps.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { Paragraphs } from './paragraphs.tsx';
import { PlaceList } from './place-list.tsx';
import { PointNeighbours } from './point-neighbours.tsx';
import { PointStatus } from './point-status.tsx';
import { QuestionList } from './question-list.tsx';
import { Section } from './section.tsx';
import { ViewHeading } from './view-heading.tsx';

interface PointViewProps {
  readonly gap: Gap;
  /** All points, in their order. */
  readonly gaps: readonly Gap[];
}

/** All that is said of one point. */
export function PointView({ gap, gaps }: PointViewProps) {
  const t = useTranslate();
  return (
    <article>
      <ViewHeading title={gap.title}>
        <PointStatus point={gap} total={gaps.length} />
      </ViewHeading>
      <Section title={t('gap_known')}>
        <Paragraphs texts={gap.known} />
      </Section>
      <Section title={t('gap_to_be_answered')}>
        <QuestionList questions={gap.questions} />
      </Section>
      <Section title={t('gap_meanwhile')}>
        <Paragraphs texts={gap.meanwhile} />
      </Section>
      <Section title={t('gap_places')}>
        <PlaceList places={gap.places} />
      </Section>
      <PointNeighbours gaps={gaps} gap={gap} />
    </article>
  );
}
