import type messages from '../static/_locales/en/messages.json';

type Messages = typeof messages;

/** Every text that a person reads has one of these keys. */
export type MessageKey = keyof Messages;

/** What fills a message's placeholders, by their names; nothing for a message without any. */
export type MessageValues<Key extends MessageKey> = Messages[Key] extends { readonly placeholders: infer P }
  ? [values: { readonly [Name in keyof P]: string }]
  : [];

/** The text under a key, in the language that the browser chose for this extension. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: MessageValues<Key>) => string;
