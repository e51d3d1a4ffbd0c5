/** A moment as a person reads it in that language, to the millisecond or to the second. */
export function formatTime(at: number, language: string, step: 'millisecond' | 'second'): string {
  return new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(step === 'millisecond' && { fractionalSecondDigits: 3 }),
    hourCycle: 'h23',
  }).format(at);
}
