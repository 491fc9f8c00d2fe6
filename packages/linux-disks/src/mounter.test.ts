import { expect, it } from 'vitest';
import { createMounter } from './mounter.ts';
import type { RunCommand } from './run-command.ts';

const { signal } = new AbortController();

it.each([
  ['nfs4', '-oexec,suid,dev'],
  ['nfs4', '--bind'],
  ['bind', '-a'],
  ['ext4', '--all'],
])('mounts as %s what is called %s, and takes it for no option', async (fsType, source) => {
  const commands: (readonly string[])[] = [];
  const run: RunCommand = async (program, args) => {
    commands.push([program, ...args]);
    return { exitCode: 0, stdout: '', stderr: '' };
  };
  await createMounter(run).mount({ source, target: '/mnt/a', fsType, options: ['ro'] }, { signal });
  const [mounted = []] = commands;
  expect(mounted.slice(-3)).toEqual(['--', source, '/mnt/a']);
  // Nothing but the first end of options, and the source stands behind it.
  expect(mounted.indexOf('--')).toBe(mounted.length - 3);
  expect(commands.slice(1).flat()).not.toContain(source);
});
