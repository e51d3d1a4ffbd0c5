// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';

import { createHandlers } from '../../src/background/create-handlers.ts';
import { contract } from '../../src/contract/contract.ts';
import { createRecorder } from '../../src/messaging/create-recorder.ts';
import { worldInfo } from '../support/extension-world.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import { renderOptions } from '../support/render-options.tsx';

it('follows the messages again when the person tries again after an error', async () => {
  let isBroken = true;
  const handlers = createHandlers({
    describeExtension: async () => worldInfo,
    specified: [],
    recorder: createRecorder(),
  });
  const world = createMemoryWorld({
    contract,
    handlers: {
      ...handlers,
      'messages.watch': (call) => {
        if (isBroken) throw new Error('broken');
        return handlers['messages.watch'](call);
      },
    },
  });
  renderOptions('#/messages', world);
  await screen.findByText('The background ran into an error.');

  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

  await waitFor(() => expect(screen.queryByText('The background ran into an error.')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
