import type { Plugin } from 'esbuild';

export interface Program {
  readonly path: string;
  readonly name: string;
  remove(): void;
}

export function programName(
  text: string,
  context: { readonly read: readonly (readonly [path: string, contents: string])[]; readonly node: string },
): string;
export type Lives = 'drivers' | 'operator';
export function bundleText(lives: Lives, plugins?: readonly Plugin[]): Promise<string>;
export function bundleProgram(lives: Lives, plugins?: readonly Plugin[]): Promise<Program>;
