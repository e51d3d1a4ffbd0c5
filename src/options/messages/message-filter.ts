import type { Message } from './message.ts';

/** What to show. An empty text is everything. */
export interface MessageFilter {
  readonly caller: string;
  readonly kind: string;
  readonly name: string;
  readonly outcome: string;
  /** In any of these, in upper or lower case. */
  readonly text: string;
}

export const noFilter: MessageFilter = { caller: '', kind: '', name: '', outcome: '', text: '' };

/** The fields of a message that can be chosen from. */
export const choosable = ['caller', 'kind', 'name', 'outcome'] as const;

export function filterMessages(messages: readonly Message[], filter: MessageFilter): readonly Message[] {
  const text = filter.text.trim().toLowerCase();
  return messages.filter(
    (message) =>
      choosable.every((field) => filter[field] === '' || message[field] === filter[field]) &&
      (text === '' || choosable.some((field) => message[field].toLowerCase().includes(text))),
  );
}
