// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { points } from '../../SPEC_GAPS.md?points';
import { createHandlers } from '../../src/background/handlers.ts';
import { createMessageLog } from '../../src/background/message-log.ts';
import { contract } from '../../src/contract/contract.ts';
import { createExtensionWorld, worldInfo } from '../support/extension-world.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import { renderPopup } from '../support/render.tsx';

describe('the popup', () => {
  it('is named after the extension', () => {
    renderPopup();

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Nine Points');
  });

  it('has a named link for each point, in the order of the specification', () => {
    renderPopup();
    const grid = screen.getByRole('navigation', { name: 'Points of the specification' });

    const names = within(grid)
      .getAllByRole('link')
      .map((link) => link.textContent);

    expect(names).toEqual(
      points.map(
        ({ number, title, answered, total }) => `${number} ${title} ${answered} of ${total} answered`,
      ),
    );
  });

  it('links to a point by its address in the options page', () => {
    renderPopup();

    const link = screen.getByRole('link', { name: /Screens and routes/ });

    expect(link.getAttribute('href')).toBe('/src/options/index.html#/specification/screens');
  });

  it('opens a point in the tab of the options page on a plain click', () => {
    const { opened } = renderPopup();

    const isFollowed = fireEvent.click(screen.getByRole('link', { name: /The calls it makes/ }));

    expect(opened).toEqual(['#/specification/calls']);
    expect(isFollowed).toBe(false);
  });

  it('leaves a click for a new tab to the browser', () => {
    const { opened } = renderPopup();
    const link = screen.getByRole('link', { name: 'All questions' });
    // What the browser would do is not for this test.
    link.removeAttribute('href');

    const isFollowed = fireEvent.click(link, { ctrlKey: true });

    expect(opened).toEqual([]);
    expect(isFollowed).toBe(true);
  });

  it('opens the options page', () => {
    const { opened } = renderPopup();

    fireEvent.click(screen.getByRole('link', { name: 'All questions' }));

    expect(opened).toEqual(['']);
  });

  it('says how many questions are answered when the worker has said so, and not before', async () => {
    const world = createExtensionWorld();
    renderPopup(world);
    const before = screen.queryByText('1 of 9 questions answered');

    await screen.findByText('1 of 9 questions answered');

    expect(before).toBeNull();
  });

  it('waits for the worker without reporting a failure', async () => {
    const world = createExtensionWorld();
    world.mute(true);

    await act(async () => renderPopup(world));

    const said = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(said).toEqual(expect.arrayContaining(['Loading…', 'Background connecting…']));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('leaves it to the line on the background to say that the worker is silent, and asks again when it is back', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const world = createExtensionWorld();
    world.mute(true);
    renderPopup(world);
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    const said = [...screen.getAllByRole('status'), ...screen.getAllByRole('alert')].map(
      ({ textContent }) => textContent,
    );

    world.mute(false);
    world.killWorker();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await act(() => vi.advanceTimersByTimeAsync(5_000));

    expect(said).toContain('Not known until the background answers.');
    expect(said.filter((text) => text?.includes('The background does not answer.'))).toHaveLength(1);
    expect(screen.getByText('1 of 9 questions answered')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says that the worker has failed, and asks again on request', async () => {
    let isBroken = true;
    const describeExtension = async (): Promise<typeof worldInfo> => worldInfo;
    const handlers = createHandlers({
      describeExtension,
      progress: { answered: 0, total: 9 },
      messageLog: createMessageLog(),
      setPopupTheme: () => {},
    });
    const countQuestions = () => {
      if (isBroken) throw new Error('secret');
      return { answered: 0, total: 9 };
    };
    renderPopup(
      createMemoryWorld({ contract, handlers: { ...handlers, 'questions.count': countQuestions } }),
    );
    const alert = (await screen.findByRole('alert')).textContent;

    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

    await screen.findByText('0 of 9 questions answered');
    expect(alert).toMatch(
      /^The background failed unexpectedly.Try again. If it keeps happening, look for incident \S+ in the background’s log.$/,
    );
  });
});
