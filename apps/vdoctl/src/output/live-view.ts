import type { CliContext } from '../cli/context.ts';
import type { OutputFormat } from '../cli/options.ts';
import { type Result, resultText } from './print-result.ts';
import { cutLine } from './style.ts';

export interface LiveView {
  /** Shows the result in the place of the one before. `keep`: which end is shown of what is longer than the screen. */
  show(result: Result, keep?: 'top' | 'bottom'): void;
  /** Whether somebody sees how old it gets. */
  readonly redraws: boolean;
}

const isForPeople = (format: OutputFormat): boolean => format === 'table' || format === 'wide';

/** What fits on the screen, with a word about what does not. */
const fitting = (lines: readonly string[], rows: number, keep: 'top' | 'bottom'): readonly string[] => {
  const room = Math.max(2, rows - 1);
  if (lines.length <= room) return lines;
  const hidden = lines.length - room + 1;
  const note = `… ${hidden} more lines; a taller terminal shows them`;
  return keep === 'top' ? [...lines.slice(0, room - 1), note] : [note, ...lines.slice(hidden)];
};

/** On a terminal a view is redrawn in place; elsewhere each one follows the one before. */
export const createLiveView = ({ terminal }: Pick<CliContext, 'terminal'>, format: OutputFormat): LiveView => {
  const redraws = terminal.outIsTerminal && isForPeople(format);
  let drawn = 0;
  let size = '';
  let isFirst = true;
  const draw = (text: string, keep: 'top' | 'bottom'): void => {
    const { columns = 100, rows = 24 } = terminal;
    const lines = fitting(text.replace(/\n$/, '').split('\n'), rows, keep);
    const now = `${columns}x${rows}`;
    // After a change of size nobody knows where the old lines are.
    const home = isFirst ? '' : now === size ? `\u001b[${drawn}A` : '\u001b[2J\u001b[H';
    const body = lines.map((line) => `\r${cutLine(line, columns)}\u001b[K\n`).join('');
    terminal.out(`${home}${body}\u001b[J`);
    drawn = lines.length;
    size = now;
  };
  return {
    redraws,
    show: (result, keep = 'top') => {
      const text = resultText(format, result);
      if (redraws) draw(text, keep);
      else {
        const separator = format === 'yaml' ? '---\n' : isForPeople(format) ? '\n' : '';
        terminal.out(isFirst ? text : `${separator}${text}`);
      }
      isFirst = false;
    },
  };
};

/** A word below a view that could not be brought up to date. */
export const staleLines = (problem: string | undefined): readonly string[] =>
  problem === undefined ? [] : ['', `Not up to date: ${problem} Trying again.`];
