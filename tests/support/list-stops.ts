/** Runs in a page: numbers what Tab has to reach, in the order in which it is to be reached, and gives it by name. */
export function listStops(): string[] {
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const candidates = scope.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  );
  const stops = [...candidates].filter(
    (control) =>
      control.checkVisibility({ visibilityProperty: true }) &&
      !control.matches(':disabled, [tabindex="-1"]') &&
      // Of a group of radio buttons the chosen one; the arrow keys reach the others.
      (!control.matches('input[type=radio]') || control.matches(':checked')),
  );
  return stops.map((control, index) => {
    control.dataset['stop'] = String(index);
    return `${index} ${(control.closest('label') ?? control).textContent.trim()}`;
  });
}
