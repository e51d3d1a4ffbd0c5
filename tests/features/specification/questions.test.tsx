// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { gaps, markdown } from '../../../SPEC_GAPS.md';
import { readQuestionnaire } from '../../../src/features/specification/build/read-questionnaire.ts';
import { QuestionsPage } from '../../../src/features/specification/options.tsx';
import { type Gap, isAnswer, type Question } from '../../../src/features/specification/spec-gaps.ts';
import { catchFile } from '../../support/catch-file.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';
import { goTo, press, renderInPage, renderOptions } from '../../support/render.tsx';
import { announcementsOfPresses, eachPress, textsAfter } from '../../support/status-texts.ts';
import { translateWhen } from '../../support/translate-page.ts';

const questions = gaps.flatMap((gap) => gap.questions);
const idsOf = (some: readonly Question[]): readonly string[] => some.map(({ id }) => id);
const isOpen = ({ answer }: Question): boolean => !isAnswer(answer);

describe('an address', () => {
  it('shows all points with their facts and questions, in the order of the specification', () => {
    renderOptions('#/questions');

    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(
      gaps.map(({ number, title }) => `${number}. ${title}`),
    );
    expect(shownIds()).toEqual(idsOf(questions));
    expect(
      [screen.getAllByText('Known'), screen.getAllByText('For now')].map(({ length }) => length),
    ).toEqual([9, 9]);
  });

  it.each([
    ['#/questions/calls', '7. The calls it makes'],
    ['#/questions/9.5', questions.at(-1)?.text],
  ])('%s focuses its heading, whose own link has this address', (hash, text) => {
    renderOptions(hash);

    expect(document.activeElement?.textContent).toBe(text);
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain(hash);
  });

  it.each(['#/questions/purposes', '#/questions/1.99', '#/questions/'])('%s is unknown', (hash) => {
    renderOptions(hash);

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Page not found');
  });

  it.each<[query: string, shown: readonly Question[]]>([
    ['role=legal', questions.filter(({ role }) => role === 'legal')],
    ['open', questions.filter(isOpen)],
    ['start', questions.filter(({ isStart }) => isStart)],
    ['search=7.3', questions.filter(({ id }) => id === '7.3')],
    ['role=owner&start&search=SIGN%20people', questions.filter(({ id }) => id === '6.1')],
    ['role=nobody', []],
  ])('?%s filters the questions', (query, shown) => {
    renderOptions(`#/questions?${query}`);

    expect(shownIds()).toEqual(idsOf(shown));
    expect(screen.queryAllByText('Known')).toEqual([]);
  });
});

it('each filter adds itself to the address and takes itself out, and “Clear” takes out all', async () => {
  renderOptions('#/questions/7.3?search=sign');
  const hashes: string[] = [];

  for (const name of ['Start here', 'Unanswered', 'Start here']) {
    const isChecked = screen.getByRole<HTMLInputElement>('checkbox', { name }).checked;
    fireEvent.click(screen.getByRole('checkbox', { name }));
    await screen.findByRole('checkbox', { name, checked: !isChecked });
    hashes.push(location.hash);
  }
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'owner' } });
  await screen.findByRole('option', { name: 'Product owner', selected: true });
  hashes.push(location.hash);
  await goTo(screen.getByRole('link', { name: 'Clear' }).getAttribute('href') ?? '');

  expect(hashes).toEqual([
    '#/questions/7.3?search=sign&start=on',
    '#/questions/7.3?search=sign&start=on&open=on',
    '#/questions/7.3?search=sign&open=on',
    '#/questions/7.3?search=sign&open=on&role=owner',
  ]);
  expect(location.hash).toBe('#/questions/7.3');
  expect(shownIds()).toEqual(idsOf(questions));
});

it('a filter keeps a search that the page does not show yet', () => {
  renderOptions('#/questions');

  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'sign' } });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Start here' }));

  expect(location.hash).toBe('#/questions?search=sign&start=on');
});

describe('a search', () => {
  it('shows its questions and their count, and keeps what is typed in the field and in the address', async () => {
    renderOptions('#/questions');
    const field = screen.getByRole<HTMLInputElement>('searchbox');

    for (const value of ['sig', 'sign ', 'sign in &']) fireEvent.change(field, { target: { value } });
    fireEvent.change(field, { target: { value: 'sign ' } });

    expect((await screen.findByText(new RegExp(`of ${questions.length} questions shown$`, 'u'))).role).toBe(
      'status',
    );
    await waitFor(() => expect(location.hash).toBe('#/questions?search=sign+'));
    expect(field.value).toBe('sign ');
    expect(shownIds()).toContain('6.1');
  });

  it('of 400 keys changes the address a few times, because browsers refuse more than 200 changes', async () => {
    renderOptions('#/questions');
    const field = screen.getByRole<HTMLInputElement>('searchbox');
    const replace = vi.spyOn(location, 'replace');

    for (let length = 1; length <= 400; length += 1) {
      fireEvent.change(field, { target: { value: 'a'.repeat(length) } });
    }

    await waitFor(() => expect(location.hash).toBe(`#/questions?search=${'a'.repeat(400)}`));
    expect(field.value).toBe('a'.repeat(400));
    expect(replace.mock.calls.length).toBeLessThan(100);
  });

  it('with half of an emoji keeps the page and the field, until the other half is typed', async () => {
    renderOptions('#/questions');
    const field = screen.getByRole<HTMLInputElement>('searchbox');
    const [half = ''] = '🙂'.split('');

    fireEvent.change(field, { target: { value: half } });
    await waitFor(() => expect(location.hash).toBe('#/questions?search=%EF%BF%BD'));
    expect(field.value).toBe(half);
    fireEvent.change(field, { target: { value: '🙂' } });

    await waitFor(() => expect(location.hash).toBe('#/questions?search=%F0%9F%99%82'));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Questions');
  });

  it('that finds nothing says so next to “Clear”, and leaves nothing to save', () => {
    renderOptions('#/questions?search=nowhere');

    expect(screen.getByText('No question matches your search and filters.').role).toBe('status');
    expect(screen.getByRole('link', { name: 'Clear' }).getAttribute('href')).toBe('#/questions');
    expect(screen.queryByRole('button', { name: /Save|Copy/ })).toBeNull();
  });

  it('has no key of its own', () => {
    renderOptions('#/questions/7.3');
    const focused = document.activeElement;

    fireEvent.keyDown(focused ?? document.body, { key: '/' });

    expect(document.activeElement).toBe(focused);
  });
});

describe('with answers', () => {
  it('shows them as text, as they were typed', () => {
    const typed = '• <b>a</b>\n\n    https://*.example.org/*  \\\\server';
    renderAnswered(({ id }) => (id === '1.6' ? `\n${typed}` : ''));

    const answer = screen.getByText((_, element) => element?.getAttribute('dir') === 'auto');
    const state = screen.getByText('1 of 15 answered');

    expect(answer.textContent).toBe(typed);
    expect(answer.children).toHaveLength(0);
    expect(state.closest('section')?.textContent).toContain('1. What the product');
  });

  it.each([
    ['no', () => '', `${questions.length} questions. Save the questions`, '15 questions'],
    ['a placeholder as', () => 'TBD', `${questions.length} questions. Save the questions`, '15 questions'],
    [
      'one',
      ({ id }: Question) => (id === '1.1' ? 'n.a.' : ''),
      `1 of ${questions.length} answered. Save the questions`,
      '1 of 15 answered',
    ],
    ['every', () => 'Yes.', 'Complete. Read the answers or save them.', 'All answered'],
  ])('says what to do with %s answer', (_how, answer, lead, first) => {
    renderAnswered(answer);
    const [section] = document.querySelectorAll('section');

    expect(screen.getByText((text) => text.startsWith(lead))).toBeTruthy();
    expect(section?.textContent).toContain(first);
  });
});

describe('an answer that may be open', () => {
  it('counts, and is marked on the page', () => {
    renderAnswered(({ id }) => (id === '1.6' ? 'Later' : ''));

    expect(screen.getAllByText(/May be open/u)).toHaveLength(1);
    expect(screen.getByText('1 of 15 answered')).toBeTruthy();
  });
});

describe('what is shown', () => {
  it('is saved as the file that the pages are built from, and another filter removes the result', async () => {
    const file = catchFile();
    renderOptions('#/questions');

    press('Save questionnaire');

    expect((await screen.findByText(/^Saved as SPEC_GAPS\.md in the browser/)).role).toBe('status');
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '7.3' } });
    await waitFor(() => expect(screen.queryByText(/^Saved as/)).toBeNull());
    expect(await file).toBe(markdown);
  });

  it('is copied in a form that can be handed back, also after the browser did not allow it', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('denied'));
    renderAnswered(({ id }) => (id === '1.11' ? '\na\n\n    b' : ''), 'role=legal');

    press('Copy');
    await screen.findByText('The browser did not allow copying. Try again.');
    writeText.mockResolvedValueOnce();
    press('Copy');
    await screen.findByText(/^Copied\. Paste the questions/);

    const copied = readQuestionnaire(writeText.mock.lastCall?.[0] ?? '', 'questions.md');
    const given = copied.flatMap(({ question }) => question ?? []);
    expect(given.map(({ id, role, answer }) => `${id} ${role} ${answer}`)).toEqual(
      questions
        .filter(({ role }) => role === 'legal')
        .map(({ id }) => `${id} legal ${id === '1.11' ? '\na\n\n    b' : ''}`),
    );
  });
});

describe('each time', () => {
  it.each([
    ['#/questions', 'Save questionnaire', 'Saved as SPEC_GAPS.md', true],
    ['#/questions?role=legal', 'Copy', 'Copied.', true],
    ['#/questions?role=legal', 'Copy', 'The browser did not allow copying.', false],
  ] as const)('at %s, a press of "%s" announces "%s"', async (...button) => {
    expect(await announcementsOfPresses(button)).toEqual(eachPress(button[2]));
  });

  it('another filter that finds as many questions announces their number', async () => {
    renderOptions('#/questions?search=no-such-text');
    const status = await screen.findByText(/^No question matches/);

    const texts = await textsAfter(status, () =>
      fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'no-other-text' } }),
    );

    expect(texts).toEqual(['', 'No question matches your search and filters.']);
  });
});

it('a translated page shows that a filter finds nothing, and all questions without it', async () => {
  renderOptions('#/questions?search=no-such-text');
  await translateWhen(/^No question matches/);

  await goTo('#/questions');

  expect(await screen.findByRole('button', { name: 'Save questionnaire' })).toBeTruthy();
  expect(screen.queryByText(/^No question matches/)).toBeNull();
});

/** Renders the questions with these answers. */
function renderAnswered(answer: (question: Question) => string, query = ''): void {
  const answered = gaps.map((gap): Gap => {
    const own = gap.questions.map((one) => ({ ...one, answer: answer(one) }));
    return { ...gap, questions: own };
  });
  renderInPage(
    createExtensionWorld(),
    'options',
    <QuestionsPage gaps={answered} markdown={markdown} query={query} />,
  );
}

function shownIds(): readonly string[] {
  return screen.queryAllByRole('link', { name: /^\d\.\d+$/ }).map(({ textContent }) => textContent);
}
