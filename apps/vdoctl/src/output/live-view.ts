import type { CliContext } from '../cli/context.ts';
import type { OutputFormat } from '../cli/options.ts';
import { type Result, resultText } from './print-result.ts';
import { cutLine } from './style.ts';

export interface LiveView {
  /** Replaces the shown result. `keep`: which end of the result is shown if it is longer than the screen. */
  show(result: Result, keep?: 'top' | 'bottom'): void;
  /** Whether the view is redrawn on a terminal, so that ages are visible. */
  readonly redraws: boolean;
}

const isForPeople = (format: OutputFormat): boolean => format === 'table' || format === 'wide';

/** The lines that fit on the screen, with a note about hidden ones. */
const fitting = (lines: readonly string[], rows: number, keep: 'top' | 'bottom'): readonly string[] => {
  const available = Math.max(2, rows - 1);
  if (lines.length <= available) return lines;
  const hidden = lines.length - available + 1;
  const note = `… ${hidden} more lines; enlarge the terminal to see them`;
  return keep === 'top' ? [...lines.slice(0, available - 1), note] : [note, ...lines.slice(hidden)];
};

/** On a terminal the view is redrawn in place; otherwise each view is printed after the last one. */
export const createLiveView = ({ terminal }: Pick<CliContext, 'terminal'>, format: OutputFormat): LiveView => {
  const redraws = terminal.outIsTerminal && isForPeople(format);
  let drawn = 0;
  let size = '';
  let isFirst = true;
  const draw = (text: string, keep: 'top' | 'bottom'): void => {
    const { columns = 100, rows = 24 } = terminal;
    const lines = fitting(text.replace(/\n$/, '').split('\n'), rows, keep);
    const now = `${columns}x${rows}`;
    // After a resize the position of the old lines is unknown.
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

/** A note below a view that could not be updated. */
export const staleLines = (problem: string | undefined): readonly string[] =>
  problem === undefined ? [] : ['', `Outdated: ${problem} Trying again.`];
