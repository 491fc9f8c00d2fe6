import type { CliContext } from '../cli/context.ts';

/** Shows the progress of a command. */
export interface Progress {
  /** The current activity; replaces the line before. */
  update(text: string): void;
  /** Something is finished. */
  done(text: string): void;
  /** Ends the line that is being rewritten. */
  end(): void;
}

const frames = ['|', '/', '-', '\\'];

/**
 * On a terminal, one line that is rewritten. Otherwise one line per change, or nothing for short waits: output that a
 * program reads, or cron mails, needs no progress. Printed to standard error.
 */
export const createProgress = (
  { terminal, env }: Pick<CliContext, 'terminal' | 'env'>,
  { elsewhere = 'lines' }: { readonly elsewhere?: 'lines' | 'silent' } = {},
): Progress => {
  const animated = terminal.interactive && (env['TERM'] ?? '') !== 'dumb';
  const width = (terminal.columns ?? 80) - 3;
  let reported = '';
  let frame = 0;
  const clear = (): void => {
    if (animated && reported !== '') terminal.err('\r\u001b[K');
  };
  return {
    update: (text) => {
      if (animated) {
        frame = (frame + 1) % frames.length;
        terminal.err(`\r\u001b[K${frames[frame]} ${text.slice(0, width)}`);
      } else if (text !== reported && elsewhere === 'lines') terminal.err(`  ${text}\n`);
      reported = text;
    },
    done: (text) => {
      clear();
      reported = '';
      terminal.err(`${animated ? '\u2713' : 'ok'} ${text}\n`);
    },
    end: () => {
      clear();
      reported = '';
    },
  };
};
