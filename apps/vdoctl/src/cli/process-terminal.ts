import type { Terminal } from './context.ts';

/** The terminal of a process. */
export const processTerminal = (process: NodeJS.Process): Terminal => ({
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  outIsTerminal: process.stdout.isTTY === true,
  // A terminal without a known size reports 0. Getters, because the size changes with the window.
  get columns() {
    return process.stdout.columns || undefined;
  },
  get rows() {
    return process.stdout.rows || undefined;
  },
  readInput: async () => {
    process.stdin.setEncoding('utf8');
    let text = '';
    for await (const chunk of process.stdin) text += String(chunk);
    return text;
  },
});
