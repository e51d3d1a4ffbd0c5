interface Message {
  readonly message: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>;
}

type Locale = Readonly<Record<string, Message>>;

/**
 * What is wrong with a language's file, in a sentence each.
 *
 * @param language as its folder in `_locales` is called: `de`, `pt_BR`
 */
export function findLocaleFaults(english: Locale, locale: Locale, language: string): string[] {
  const tag = language.replace('_', '-');
  const expected = expectedKeys(english, tag);
  const file = `_locales/${language}/messages.json`;
  const faults: string[] = [];

  for (const [key, counterpart] of expected) {
    const entry = locale[key];
    if (entry === undefined) faults.push(`${file} lacks the message ${key}.`);
    else faults.push(...messageFaults(entry, counterpart).map((fault) => `${file}: ${key} ${fault}.`));
  }
  for (const key of Object.keys(locale)) {
    if (!expected.has(key)) faults.push(`${file} has the message ${key}, which nobody asks for in ${tag}.`);
  }
  const { text_language: named, text_direction: direction } = locale;
  if (named && named.message !== tag) {
    faults.push(`${file}: text_language has to be ${tag} and is ${named.message}.`);
  }
  if (direction && !['ltr', 'rtl'].includes(direction.message)) {
    faults.push(`${file}: text_direction has to be ltr or rtl and is ${direction.message}.`);
  }
  return faults;
}

/** The keys of a language, each with the English message that it stands for: one for each of its plural categories. */
function expectedKeys(english: Locale, tag: string): Map<string, Message> {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  const entries = Object.entries(english).flatMap(([key, message]): [string, Message][] => {
    const base = /^(.*)_(one|other)$/.exec(key)?.[1];
    if (base === undefined || english[`${base}_other`] === undefined) return [[key, message]];
    return pluralCategories.map((category) => [
      `${base}_${category}`,
      english[`${base}_${category}`] ?? english[`${base}_other`] ?? message,
    ]);
  });
  return new Map(entries);
}

function messageFaults({ message, placeholders = {} }: Message, english: Message): string[] {
  const faults: string[] = [];
  if (message.trim() === '') faults.push('says nothing');

  const names = Object.keys(english.placeholders ?? {}).toSorted();
  const declared = Object.keys(placeholders).toSorted();
  const used = [...new Set([...message.matchAll(/\$(\w+)\$/g)].map(([, name = '']) => name.toLowerCase()))];
  if (declared.join() !== names.join()) {
    faults.push(`has the placeholders [${declared.join(', ')}] where English has [${names.join(', ')}]`);
  }
  if (used.toSorted().join() !== names.join()) {
    faults.push(`uses the placeholders [${used.join(', ')}] where English has [${names.join(', ')}]`);
  }
  for (const name of declared) {
    const [content, wanted] = [placeholders[name]?.content, english.placeholders?.[name]?.content];
    if (wanted !== undefined && content !== wanted) {
      faults.push(`gives $${name.toUpperCase()}$ as ${content}, which is ${wanted}`);
    }
  }
  return faults;
}
