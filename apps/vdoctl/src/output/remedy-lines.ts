import { wrap } from '../cli/wrap.ts';

/** A remedy as text: the explanation, then each command on its own line, ready to be copied. */
export const remedyLines = (
  { remedy, commands = [] }: { readonly remedy: string; readonly commands?: readonly string[] | undefined },
  { width, indent }: { readonly width: number; readonly indent: string },
): readonly string[] => [
  ...(remedy === '' ? [] : wrap(`Remedy: ${remedy}`, { width, indent })),
  ...commands.map((command) => `${indent}  ${command}`),
];
