import { VdoError } from '@vdo/base/vdo-error';
import type { CliContext } from '../cli/context.ts';

/** Asks before something is changed. Whoever cannot be asked must have said --yes. */
export const confirm = async (
  { terminal }: Pick<CliContext, 'terminal'>,
  flags: { readonly yes: boolean },
  question: string,
  remedy = 'Add --yes if that is what you want, or --dry-run to see what would be done.',
): Promise<boolean> => {
  if (flags.yes) return true;
  if (!terminal.interactive) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${question} Nobody can be asked: standard input is no terminal`,
      remedy,
    });
  }
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } catch (error) {
    // Ctrl-C leaves the cursor behind the question.
    terminal.err('\n');
    throw error;
  } finally {
    asking.close();
  }
};
