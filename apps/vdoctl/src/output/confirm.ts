import { VdoError } from '@vdo/base/vdo-error';
import type { CliContext } from '../cli/context.ts';

/** Asks before something is changed. Without a terminal, --yes is required. */
export const confirm = async (
  { terminal }: Pick<CliContext, 'terminal'>,
  flags: { readonly yes: boolean },
  question: string,
  remedy = 'Add --yes to confirm, or --dry-run to see what would be done.',
): Promise<boolean> => {
  if (flags.yes) return true;
  if (!terminal.interactive) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${question} Confirmation needed: standard input is not a terminal`,
      remedy,
    });
  }
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } catch (error) {
    // After Ctrl-C the cursor is still behind the question.
    terminal.err('\n');
    throw error;
  } finally {
    asking.close();
  }
};
