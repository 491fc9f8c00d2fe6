// What the words on the dashboard mean: the same text as of `vdoctl explain`.
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from '../load-typescript.mjs';
import { outputs as errorFiles, run as readErrors } from './error-reference.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'dashboard-words';
const output = 'packages/dashboard/src/gen/words.json';
export const outputs = [output];

const source = fileURLToPath(new URL('../../apps/vdoctl/src/shared/words/explanations.ts', import.meta.url));

/** The page names neither metrics nor alerts. */
const shown = ['check', 'health', 'condition', 'reason'];

/** Repository path → content. */
export const run = async () => {
  // Not as they were generated before: one run of all generators is enough.
  const errors = JSON.parse((await readErrors()).get(errorFiles[0]));
  const { explanations } = await loadTypeScript(source);
  const words = [
    ...Object.entries(errors).map(([code, { happened, remedy }]) => ({
      code,
      kind: 'error',
      meaning: happened,
      remedy,
      commands: [],
    })),
    ...explanations()
      .filter(({ kind }) => shown.includes(kind))
      .map(({ code, kind, meaning, remedy, commands }) => ({ code, kind, meaning, remedy, commands })),
  ];
  return new Map([[output, `${JSON.stringify(words, undefined, 2)}\n`]]);
};
