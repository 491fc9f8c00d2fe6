import { describe, expect, it } from 'vitest';
import { createLiveView } from './live-view.ts';

const esc = '\u001b';
const result = (...lines: readonly string[]) => ({ data: { lines }, lines: () => lines });

/** A terminal of this size, and what is on its screen after everything that was printed. */
const startScreen = (size: { columns: number; rows: number }) => {
  let screen: string[] = [''];
  let row = 0;
  let printed = '';
  const tokens = new RegExp(`${esc}\\[(\\d*)(?:;\\d*)?([A-Z])|\\r|\\n|[^${esc}\\r\\n]+`, 'g');
  let column = 0;
  const control = (count: number, code: string): void => {
    if (code === 'A') row = Math.max(0, row - count);
    if (code === 'H') row = 0;
    if (code === 'K') screen[row] = (screen[row] ?? '').slice(0, column);
    if (code === 'J') screen = count === 2 ? [''] : screen.slice(0, row);
  };
  const out = (text: string): void => {
    printed += text;
    for (const [token, count, code] of text.matchAll(tokens)) {
      if (code) control(Number(count || '1') * (code === 'J' && count === '' ? 0 : 1), code);
      else if (token === '\r') column = 0;
      else if (token === '\n') {
        row += 1;
        screen[row] ??= '';
      } else {
        const line = screen[row] ?? '';
        screen[row] = line.slice(0, column) + token + line.slice(column + token.length);
        column += token.length;
      }
    }
  };
  const terminal = {
    out,
    err: () => undefined,
    interactive: true,
    outIsTerminal: true,
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    readInput: async () => '',
  };
  return { terminal, screen: () => screen.filter((line) => line !== ''), printed: () => printed };
};

describe('a live view', () => {
  it('takes the place of the one before, also where it is shorter', () => {
    const { terminal, screen } = startScreen({ columns: 40, rows: 10 });
    const view = createLiveView({ terminal }, 'table');
    view.show(result('one long line', 'two', 'three'));
    view.show(result('uno', 'due'));
    expect(screen()).toEqual(['uno', 'due']);
    view.show(result('a', 'b', 'c'));
    expect(screen()).toEqual(['a', 'b', 'c']);
  });

  it('leaves alone what stood above it', () => {
    const { terminal, screen } = startScreen({ columns: 40, rows: 10 });
    terminal.out('$ vdoctl status --watch\n');
    const view = createLiveView({ terminal }, 'wide');
    view.show(result('Progressing'));
    view.show(result('Healthy'));
    expect(screen()).toEqual(['$ vdoctl status --watch', 'Healthy']);
  });

  it('shows what fits, says that there is more, and breaks no line', () => {
    const { terminal, screen } = startScreen({ columns: 12, rows: 5 });
    const lines = ['a line that is too long', '2', '3', '4', '5', '6'];
    createLiveView({ terminal }, 'table').show(result(...lines));
    expect(screen()).toEqual(['a line that…', '2', '3', '… 3 more li…']);
    const other = startScreen({ columns: 80, rows: 5 });
    createLiveView(other, 'table').show(result(...lines), 'bottom');
    expect(other.screen()).toEqual(['… 3 more lines; enlarge the terminal to see them', '4', '5', '6']);
  });

  it('begins anew after the window was resized', () => {
    const size = { columns: 40, rows: 10 };
    const { terminal, screen } = startScreen(size);
    const view = createLiveView({ terminal }, 'table');
    view.show(result('a', 'b'));
    size.columns = 20;
    view.show(result('c'));
    expect(screen()).toEqual(['c']);
  });

  it.each([
    ['table', 'a\n\nb\n'],
    ['yaml', 'lines:\n  - a\n---\nlines:\n  - b\n'],
    ['jsonpath={.lines[0]}', 'a\nb\n'],
  ] as const)('prints one after the other where nobody looks, as %s', (format, expected) => {
    const { terminal, printed } = startScreen({ columns: 40, rows: 10 });
    const view = createLiveView({ terminal: { ...terminal, outIsTerminal: false } }, format);
    view.show(result('a'));
    view.show(result('b'));
    expect(printed()).toBe(expected);
  });
});
