/**
 * WebDriver's code points for keys that are not characters (https://w3c.github.io/webdriver/#keyboard-actions), by their
 * name in `KeyboardEvent.key`.
 */
const codePoints: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE006',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Meta: '\uE03D',
};

/** What BiDi calls a key. Throws for a name that is neither one character nor in the table. */
export function firefoxKey(name: string): string {
  const value = name.length === 1 ? name : codePoints[name];
  if (value === undefined) throw new Error(`No key is called ${name}`);
  return value;
}
