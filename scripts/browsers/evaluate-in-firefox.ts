import type { BidiConnection } from './bidi-connection.ts';

interface EvaluateResult {
  readonly type?: unknown;
  readonly result?: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text?: string };
}

/** Evaluates source text in a browsing context and awaits its promise, which is to give a primitive value. */
export async function evaluateInFirefox(
  connection: BidiConnection,
  context: string,
  expression: string,
): Promise<unknown> {
  const answer: EvaluateResult = await connection.send('script.evaluate', {
    expression,
    target: { context },
    awaitPromise: true,
  });
  if (answer.type === 'exception') throw new Error(answer.exceptionDetails?.text ?? 'Exception without text');
  return answer.result?.value;
}
