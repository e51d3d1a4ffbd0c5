// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { gaps, markdown, progressByRole, start } from '../../../SPEC_GAPS.md';
import { parseQuestions } from '../../../src/features/specification/build/read-questions.ts';
import { plainText, type Question } from '../../../src/features/specification/spec-gaps.ts';
import {
  findQuestions,
  noFilter,
  parseFilter,
  type QuestionFilter,
  questionsAddress,
  toMarkdown,
} from '../../../src/features/specification/filter.ts';
import { goTo, renderOptions } from '../../support/render.tsx';

const questions = gaps.flatMap((gap) => gap.questions);
const byRole = (role: string): readonly Question[] => questions.filter((question) => question.role === role);

describe('the start page', () => {
  it('explains what to do, then lists the questions to start with, then each point once', () => {
    renderOptions('#/questions');
    const links = within(screen.getByRole('main'))
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
    const next = start.questions.find((id) =>
      questions.some((one) => one.id === id && one.answer.length === 0),
    );
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

    expect(headings).toEqual([
      'Save the questions',
      'Write answers',
      'Return the file',
      'Start here',
      'Points of the specification',
    ]);
    expect(links.slice(links.indexOf('#/questions?role=legal') + 1)).toEqual([
      ...(next === undefined || next === start.questions[0] ? [] : [`#/questions/${next}`]),
      ...start.questions.map((id) => `#/questions/${id}`),
      ...gaps.map(({ id }) => `#/questions/${id}`),
    ]);
    expect(screen.queryByRole('navigation', { name: 'Points of the specification' })).toBeNull();
  });

  it('links to the next of the questions to start with, once the first one is answered', async () => {
    const [answered, next] = start.questions.map((id) => questions.find((one) => one.id === id));
    const { renderOptions: renderAnswered } = await importWithAnswer(answered?.id);
    renderAnswered('#/questions');

    const line = screen.getByText(/Their answers decide/).nextElementSibling;

    expect(line?.textContent).toBe(`Next: ${next?.id} ${plainText(next?.text ?? [])}`);
    expect(line?.querySelector('a')?.hash).toBe(`#/questions/${next?.id}`);
  });

  it('shows for each role how many of its questions are answered, with a link to them', () => {
    renderOptions('#/questions');

    const filters = progressByRole.map(({ role }) => {
      const link = within(screen.getByRole('main')).getByRole('link', {
        name: new RegExp(`^${role}`, 'i'),
      });
      return [link.getAttribute('href'), link.textContent];
    });

    expect(filters).toEqual(
      progressByRole.map(({ role, answered, total }) => [
        `#/questions?role=${role}`,
        expect.stringContaining(`${answered}/${total}${answered} of ${total} answered`),
      ]),
    );
  });
});

describe('a filter', () => {
  it.each<[string, Partial<QuestionFilter>, string, readonly Question[] | undefined]>([
    ['nothing', {}, '#/questions', undefined],
    ['all', { isAll: true }, '#/questions?all', questions],
    ['a role', { role: 'legal' }, '#/questions?role=legal', byRole('legal')],
    [
      'the unanswered',
      { isOpen: true },
      '#/questions?open',
      questions.filter(({ answer }) => answer.length === 0),
    ],
    [
      'the start',
      { isStart: true },
      '#/questions?start',
      start.questions.flatMap((id) => questions.find((one) => one.id === id) ?? []),
    ],
    ['a number', { search: ' 7.3 ' }, '#/questions?search=7.3', questions.filter(({ id }) => id === '7.3')],
    [
      'all of several',
      { role: 'owner', isStart: true, isOpen: true, search: 'sign in & out?' },
      '#/questions?role=owner&start&open&search=sign%20in%20%26%20out%3F',
      [],
    ],
  ])('by %s is kept in the address and read from it', (_what, part, address, shown) => {
    const filter = { ...noFilter, ...part };

    expect(questionsAddress(filter)).toBe(address);
    expect(parseFilter(address.replace(/^[^?]*\??/u, ''))).toEqual({
      ...filter,
      search: filter.search.trim(),
    });
    expect(findQuestions(filter)?.flatMap((group) => group.questions)).toEqual(shown);
  });

  it('in an address shows its questions with their roles, and leads to them and back', async () => {
    renderOptions('#/questions?role=legal');
    const [question] = byRole('legal');
    const link = screen.getByRole('link', { name: plainText(question?.text ?? []) });
    const item = link.closest('li');
    const on = within(screen.getByRole('main')).getAllByRole('link', { current: true });

    await goTo(link.getAttribute('href') ?? '');
    const [arrived, back] = [
      document.activeElement?.textContent,
      screen.getAllByRole('link', { name: 'Questions' })[1],
    ];
    await goTo(back?.getAttribute('href') ?? '');

    expect(item?.textContent).toContain('Legal');
    expect(on.map(({ textContent }) => textContent)).toEqual([
      'All questions',
      expect.stringMatching(/^Legal/),
    ]);
    expect(arrived).toBe(plainText(question?.text ?? []));
    expect(location.hash).toBe('#/questions?role=legal');
    // The focus is on the question that the person came from.
    expect(document.activeElement?.textContent).toBe(plainText(question?.text ?? []));
  });

  it('is current in each line of filters, and the overview clears all of them', async () => {
    renderOptions('#/questions');
    const current = (): readonly (string | null)[] =>
      within(screen.getByRole('main'))
        .getAllByRole('link', { current: true })
        .map(({ textContent }) => textContent);
    const seen = [current()];

    for (const name of [
      /^Engineer/,
      'Unanswered',
      'Start here',
      'Start here',
      'Unanswered',
      'Everyone',
      'Overview',
    ]) {
      await goTo(within(screen.getByRole('main')).getByRole('link', { name }).getAttribute('href') ?? '');
      seen.push(current());
    }

    const engineer = expect.stringMatching(/^Engineer/);
    expect(seen).toEqual([
      ['Overview', 'Everyone'],
      ['All questions', engineer],
      ['Unanswered', engineer],
      ['Start here', 'Unanswered', engineer],
      ['Unanswered', engineer],
      ['All questions', engineer],
      ['All questions', 'Everyone'],
      ['Overview', 'Everyone'],
    ]);
  });

  it('that matches nothing shows a link to the overview, and no button to save an empty file', () => {
    renderOptions('#/questions?search=nowhere');

    expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull();

    expect(screen.getByText('0 questions found').role).toBe('status');
    expect(screen.getByRole('link', { name: 'Show the overview' }).getAttribute('href')).toBe('#/questions');
  });
});

it('a search shows its questions at once, and its count and its address when typing has ended', async () => {
  renderOptions('#/questions');
  const [question] = gaps[6]?.questions ?? [];
  const field = screen.getByRole('searchbox');
  const words = plainText(question?.text ?? [])
    .replace('?', '')
    .toUpperCase();

  for (const typed of [words.slice(0, 9), words]) fireEvent.change(field, { target: { value: typed } });
  const atOnce = screen.queryByText(/questions? found$/);
  const link = screen.getByRole('link', { name: plainText(question?.text ?? []) });

  expect(atOnce).toBeNull();
  expect((await screen.findByText('1 question found')).role).toBe('status');
  expect(location.hash).toBe(`#/questions?search=${encodeURIComponent(words)}`);
  expect(link.getAttribute('href')).toBe(`#/questions/7.1?search=${encodeURIComponent(words)}`);
});

it('a search is in the address as soon as its field loses the focus', async () => {
  renderOptions('#/questions');
  const field = screen.getByRole('searchbox');

  fireEvent.change(field, { target: { value: 'sign' } });
  fireEvent.blur(field);

  expect(location.hash).toBe('#/questions?search=sign');
  await screen.findByText(/questions? found$/);
});

it('a space at the end of a search stays when typing pauses', async () => {
  renderOptions('#/questions');
  const field = screen.getByRole<HTMLInputElement>('searchbox');

  fireEvent.change(field, { target: { value: 'sign ' } });
  await screen.findByText(/questions? found$/);

  expect([location.hash, field.value]).toEqual(['#/questions?search=sign', 'sign ']);
});

it('a letter that is typed while the address changes is kept', async () => {
  renderOptions('#/questions');
  const field = screen.getByRole<HTMLInputElement>('searchbox');

  fireEvent.change(field, { target: { value: 'sig' } });
  fireEvent.blur(field);
  fireEvent.change(field, { target: { value: 'sign' } });
  await waitFor(() => expect(location.hash).toBe('#/questions?search=sign'));

  expect(field.value).toBe('sign');
});

it('a slash opens the search only from the questions and without Ctrl, and can be typed into the search', () => {
  renderOptions('#/questions');
  const field = screen.getByRole('searchbox');
  const link = screen.getByRole('link', { name: /^1\. / });
  link.focus();

  fireEvent.keyDown(document.body, { key: '/' });
  fireEvent.keyDown(link, { key: '/', ctrlKey: true });
  const before = document.activeElement;
  fireEvent.keyDown(link, { key: '/' });
  const after = document.activeElement;
  const isTyped = fireEvent.keyDown(field, { key: '/' });

  expect(before).toBe(link);
  expect(after).toBe(field);
  expect(isTyped).toBe(true);
});

describe('the page of a point', () => {
  it.each(gaps)('of $title shows its questions and places, and links to its neighbours', (gap) => {
    renderOptions(`#/questions/${gap.id}`);

    const main = screen.getByRole('main');
    const neighbours = screen.getByRole('navigation', { name: 'Neighbouring points' });

    expect(within(main).getAllByRole('heading', { level: 3 })).toHaveLength(gap.questions.length);
    expect(gap.places.filter(({ path }) => within(main).queryAllByText(path).length === 0)).toEqual([]);
    expect(within(main).queryAllByText('Answered')).toHaveLength(gap.answered);
    expect(within(main).getByText(`Point ${gap.number} of ${gaps.length}`)).toBeTruthy();
    expect(
      within(neighbours)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(
      [gaps[gap.number - 2], gaps[gap.number]].flatMap((near) => (near ? `#/questions/${near.id}` : [])),
    );
  });

  it('focuses the question that the address names, and copies that question alone', async () => {
    const writeText = catchClipboard();
    const question = questions.find(({ id }) => id === '7.3');

    renderOptions('#/questions/7.3');
    press('Copy 7.3');

    expect(document.activeElement?.textContent).toBe(plainText(question?.text ?? []));
    expect(screen.getByRole('link', { name: '7.3' }).getAttribute('href')).toBe('#/questions/7.3');
    expect((await screen.findByText('Copied.')).role).toBe('status');
    expect(writeText).toHaveBeenLastCalledWith(question?.markdown);
  });

  it('copies its Markdown, and retries after the browser did not allow it', async () => {
    const writeText = catchClipboard();
    writeText.mockRejectedValueOnce(new Error('NotAllowedError'));
    renderOptions('#/questions/calls');

    press(`Copy ${gaps[6]?.total} questions`);
    const alert = (await screen.findByRole('alert')).textContent;
    press('Try again');

    expect((await screen.findByText(/^Copied\. Paste the questions into any editor/)).role).toBe('status');
    expect(alert).toMatch(/^The browser blocked copying\./);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(writeText).toHaveBeenLastCalledWith(gaps[6]?.markdown);
  });
});

describe('the questionnaire', () => {
  it('is saved as the file that the pages are built from, and a failure to save is reported', async () => {
    const create = vi.spyOn(URL, 'createObjectURL').mockReturnValueOnce('blob:caught');
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    onTestFinished(() => [create, click].forEach((spy) => spy.mockRestore()));
    renderOptions('#/questions');

    press('Save questionnaire');
    await screen.findByText(
      /^Saved as SPEC_GAPS\.md .* write your answers after “Answer:”, then give the file/,
    );
    const saved = create.mock.calls[0]?.[0] as Blob;
    create.mockImplementation(() => {
      throw new Error('no memory');
    });
    press('Save questionnaire');

    expect((await screen.findByRole('alert')).textContent).toMatch(/^The browser could not save the file\./);
    expect(screen.queryByText(/^Saved as/)).toBeNull();
    expect(await saved.text()).toBe(markdown);
  });

  it('of a filter is copied with the shown questions, and can be parsed again', async () => {
    const writeText = catchClipboard();
    renderOptions('#/questions?role=legal');

    press(`Copy ${byRole('legal').length} questions`);
    await waitFor(() => expect(writeText).toHaveBeenCalledOnce());

    const [copied = ''] = writeText.mock.calls[0] ?? [];
    expect(parseQuestions(copied, 'questions.md').map(({ id }) => id)).toEqual(
      byRole('legal').map(({ id }) => id),
    );
  });

  it('of the questions to start with can be parsed again', () => {
    const groups = findQuestions({ ...noFilter, isStart: true }) ?? [];

    const ids = parseQuestions(toMarkdown(groups), 'questions.md').map(({ id }) => id);

    expect(ids).toEqual(questions.filter(({ id }) => start.questions.includes(id)).map(({ id }) => id));
  });
});

/** Imports the page of a build in which only this question of those to start with is answered. */
async function importWithAnswer(id: string | undefined): Promise<typeof import('../../support/render.tsx')> {
  const file = await import('../../../SPEC_GAPS.md');
  const answer = [{ type: 'paragraph', text: ['Yes.'] }];
  vi.doMock('../../../SPEC_GAPS.md', () => ({
    ...file,
    gaps: gaps.map((gap) => {
      const asked = gap.questions.map((one) =>
        Object.assign({}, one, { answer: one.id === id ? answer : [] }),
      );
      return Object.assign({}, gap, { questions: asked });
    }),
  }));
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('../../../SPEC_GAPS.md');
    vi.resetModules();
  });
  return import('../../support/render.tsx');
}

function press(name: string): void {
  fireEvent.click(screen.getByRole('button', { name }));
}

function catchClipboard() {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => writeText.mockRestore());
  return writeText;
}
