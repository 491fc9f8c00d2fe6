import type { Terminal } from './context.ts';

/**
 * With --sandbox NAME, each printed command gets that flag, too: copied as it stands, it concerns the same sandbox. Only names of commands
 * count, so that a sentence about vdoctl stays as it is.
 */
export const sandboxTerminal = (terminal: Terminal, sandbox: string, commands: readonly string[]): Terminal => {
  const form = new RegExp(`\\bvdoctl (?=(?:${commands.join('|')})(?![\\w-]))`, 'g');
  const named = (text: string): string => text.replaceAll(form, `vdoctl --sandbox ${sandbox} `);
  return { ...terminal, out: (text) => terminal.out(named(text)), err: (text) => terminal.err(named(text)) };
};
