import type { CliContext } from '../cli/context.ts';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

const sequences: Readonly<Record<Colour, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Colors text, or returns it unchanged. */
export type Paint = (colour: Colour, text: string) => string;

const plain: Paint = (_, text) => text;

const coloured: Paint = (colour, text) => {
  if (text === '') return text;
  const [on, off] = sequences[colour];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};

/** Colors only on a terminal, and never with NO_COLOR or --no-color. */
export const paintFor = (
  { terminal, env }: Pick<CliContext, 'terminal' | 'env'>,
  flags: { readonly color?: boolean } = {},
): Paint => {
  const wanted = flags.color !== false && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return wanted && terminal.outIsTerminal ? coloured : plain;
};

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** Width of a text on the screen. */
export const visibleLength = (text: string): number => text.replace(escapes, '').length;

/** A colored text, cut to this width on the screen. */
export const cutLine = (text: string, width: number): string => {
  if (visibleLength(text) <= width) return text;
  let left = Math.max(0, width - 1);
  const parts = text.split(new RegExp(`(${escapes.source})`));
  const kept = parts.map((part, index) => {
    if (index % 2 === 1) return part;
    const shown = part.slice(0, left);
    left -= shown.length;
    return shown;
  });
  return `${kept.join('')}…`;
};
