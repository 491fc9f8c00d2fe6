import { expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';

it.each(['bash', 'zsh', 'fish'])('prints the completion script for %s', async (shell) => {
  const { exitCode, out } = await runVdoctl(['completion', shell]);
  expect(exitCode).toBe(0);
  await expect(out).toMatchFileSnapshot(`golden/${shell}.txt`);
});

it('names the shells it knows', async () => {
  const { exitCode, err } = await runVdoctl(['completion', 'tcsh']);
  expect(exitCode).toBe(2);
  await expect(err).toMatchFileSnapshot('golden/unknown-shell.txt');
});
