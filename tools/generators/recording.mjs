// The moving picture at the top of the README, from a recorded text: see tools/recording.mjs.
import { readFileSync } from 'node:fs';
import { renderRecording } from '../recording/render-recording.mjs';

/** Generator for tools/generate.mjs. */
export const name = 'recording';
const output = 'docs/images/sandbox.svg';
export const outputs = [output];

/** Repository path → content. */
export const run = () => {
  const text = readFileSync(new URL('../recording/sandbox.txt', import.meta.url), 'utf8');
  return new Map([[output, renderRecording(text)]]);
};
