import { VdoError } from '@vdo/base/vdo-error';
import type { Terminal } from '../../cli/context.ts';

const stopped = (question: string): VdoError =>
  new VdoError({
    code: 'Cancelled',
    message: `stopped at the question: ${question}`,
    remedy: 'Nothing was changed. Run the command again.',
  });

/** Asks for one line. With `hidden`, the input is not shown. Ctrl-C and Ctrl-D end the command. */
export const ask = async (
  terminal: Terminal,
  question: string,
  options: { readonly hidden?: boolean; readonly remedy: string; readonly signal?: AbortSignal },
): Promise<string> => {
  if (!terminal.interactive) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${question} is required, and vdoctl cannot ask: standard input is not a terminal`,
      remedy: options.remedy,
    });
  }
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  // readline echoes the input to its output; for secrets the output is discarded.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({
    input: process.stdin,
    output: options.hidden ? silent : process.stderr,
    terminal: true,
  });
  const end = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(stopped(question));
    asking.once('SIGINT', stop);
    asking.once('close', stop);
  });
  try {
    if (options.hidden) terminal.err(`${question}: `);
    const answer = asking.question(
      options.hidden ? '' : `${question}: `,
      options.signal ? { signal: options.signal } : {},
    );
    return await Promise.race([answer, end]);
  } finally {
    if (options.hidden) terminal.err('\n');
    asking.close();
  }
};
