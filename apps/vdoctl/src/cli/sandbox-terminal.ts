import type { Terminal } from './context.ts';

/** The program, before a word that may be a command. */
const commandForm = /\bvdoctl (?=([a-z-]+)(?!\w))/g;

/**
 * With --sandbox NAME, each printed command gets that flag, too: copied as it stands, it concerns the same sandbox. Only names of commands
 * count, so that a sentence about vdoctl stays as it is.
 */
export const sandboxTerminal = (terminal: Terminal, sandbox: string, commands: readonly string[]): Terminal => {
  const named = (text: string): string =>
    text.replaceAll(commandForm, (start, word: string) =>
      commands.includes(word) ? `vdoctl --sandbox ${sandbox} ` : start,
    );
  return { ...terminal, out: (text) => terminal.out(named(text)), err: (text) => terminal.err(named(text)) };
};
