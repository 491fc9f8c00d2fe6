import { wrap } from '../cli/wrap.ts';

/** A remedy for people: words, then each command on a line of its own that can be copied as it is. */
export const remedyLines = (
  { remedy, commands = [] }: { readonly remedy: string; readonly commands?: readonly string[] | undefined },
  { width, indent }: { readonly width: number; readonly indent: string },
): readonly string[] => [
  ...(remedy === '' ? [] : wrap(`Remedy: ${remedy}`, { width, indent })),
  ...commands.map((command) => `${indent}  ${command}`),
];
