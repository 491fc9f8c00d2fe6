import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ErrorCode, errorCodes } from '@vdo/base/error-codes';
import { describe, expect, it } from 'vitest';
import { allCommands, commandGroups } from '../commands/all-commands.ts';
import { runVdoctl } from '../testing/run-vdoctl.ts';
import { exitCodeMeanings, exitCodeOf } from './exit-codes.ts';

describe('vdoctl', () => {
  it('shows help without arguments and ends with 0', async () => {
    const { exitCode, out } = await runVdoctl([]);
    expect(exitCode).toBe(0);
    for (const { path } of allCommands) expect(out).toContain(`  ${path[0]}`);
    await expect(out).toMatchFileSnapshot('golden/help.txt');
  });

  it.each(allCommands.map(({ path }) => [path.join(' ')]))('%s --help', async (path) => {
    const { exitCode, out } = await runVdoctl([...path.split(' '), '--help']);
    expect(exitCode).toBe(0);
    await expect(out).toMatchFileSnapshot(`golden/help-${path.replaceAll(' ', '-')}.txt`);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(140);
  });

  it('refuses an unknown command with exit code 2 and names a near one', async () => {
    const { exitCode, err } = await runVdoctl(['statsu']);
    expect(exitCode).toBe(2);
    expect(err).toContain('status');
  });

  it.each([
    ['statsu', /has no subcommand statsu\n.*Did you mean vdoctl status\?/],
    ['matrix shwo', /vdoctl matrix has no subcommand shwo\n.*Did you mean vdoctl matrix show\?/],
    ['status -o jsn', /--output jsn: expected one of table, wide, json, yaml, jsonpath=TEMPLATE\n.*mean json\?/],
    ['nodes -o jsonpath', /Did you mean jsonpath=\?/],
    ['nodes --ouptut json', /vdoctl nodes has no flag --ouptut\n.*Did you mean --output\?/],
    ['status extra', /vdoctl status takes no arguments; unexpected: extra/],
    ['completion', /vdoctl completion needs shell, one of bash, zsh, fish/],
    [
      'sandbox break vcenter-dwn',
      /^Error: fault vcenter-dwn: expected one of vcenter-down,[\s\S]*Did you mean vcenter-down\?/,
    ],
    [
      'logs csi-contoller',
      /^Error: source csi-contoller: expected one of operator,[\s\S]*Did you mean csi-controller\?/,
    ],
    ['logs --tail x', /--tail x: expected a whole number from 0 to 1000000/],
    ['logs --tail', /vdoctl logs: the flag --tail needs a value/],
    ['volumes cleanup', /vdoctl volumes cleanup needs the flag --id/],
  ])('says what is wrong with %s in one style', async (line, expected) => {
    const { exitCode, out, err } = await runVdoctl(line.split(' '));
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toMatch(expected);
    expect(err).toMatch(/^Error: [\s\S]*\nRemedy: [\s\S]*\nCode: InvalidArgument \(vdoctl explain InvalidArgument/);
  });

  it('shows the same help for help COMMAND and COMMAND --help', async () => {
    const [asked, flagged] = await Promise.all([
      runVdoctl(['help', 'matrix', 'show']),
      runVdoctl(['matrix', 'show', '--help']),
    ]);
    expect(asked).toEqual(flagged);
    expect(asked.out).toContain('Usage: vdoctl matrix show');
  });

  it('knows version as kubectl does', async () => {
    const flags = ['--kubeconfig', '/nonexistent', '-o', 'jsonpath={[?(@.what=="vdoctl")].version}'];
    expect(await runVdoctl(['version', ...flags])).toMatchObject({ exitCode: 0, out: '0.0.0-test\n' });
  });

  it('prints an error with what, remedy, code and docs, never a stack', async () => {
    const { exitCode, err } = await runVdoctl(['status', '--kubeconfig', '/nonexistent/kubeconfig']);
    expect(exitCode).toBe(4);
    expect(err).toMatch(/^Error: .*\/nonexistent\/kubeconfig/);
    expect(err).toContain('Remedy: ');
    expect(err).toContain('docs/reference/errors.md#kubeconfiginvalid');
    expect(err).not.toContain('    at ');
  });

  it('gives every error code an exit code that is documented', () => {
    const documented = exitCodeMeanings.map(([code]) => code);
    for (const code of Object.keys(errorCodes) as ErrorCode[]) expect(documented).toContain(exitCodeOf(code));
  });

  it('describes each group of commands', () => {
    const groups = new Set(commandGroups.map(({ path }) => path.join(' ')));
    for (const { path } of allCommands)
      for (let length = 1; length < path.length; length += 1) {
        const group = path.slice(0, length).join(' ');
        const isCommand = allCommands.some((command) => command.path.join(' ') === group);
        expect(isCommand || groups.has(group), `group ${group} has no summary`).toBe(true);
      }
  });
});

describe('vdoctl completion', () => {
  const complete = async (line: readonly string[]): Promise<readonly string[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'vdoctl-completion-'));
    try {
      const script = join(folder, 'completion.bash');
      await writeFile(script, (await runVdoctl(['completion', 'bash'])).out);
      const words = line.map((word) => `'${word}'`).join(' ');
      const { stdout } = await promisify(execFile)('bash', [
        '-c',
        `source ${script}; COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _vdoctl; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ]);
      return stdout.split('\n').filter((word) => word !== '');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  it('completes commands, words below them, flags and the values of flags in bash', async () => {
    expect(await complete(['vdoctl', 'sta'])).toContain('status');
    expect(await complete(['vdoctl', 'matrix', 's'])).toEqual(['show']);
    expect(await complete(['vdoctl', 'status', '--wat'])).toEqual(['--watch']);
    expect(await complete(['vdoctl', 'status', '--output', 'y'])).toEqual(['yaml']);
  });

  it.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { exitCode, out } = await runVdoctl(['completion', shell]);
    expect(exitCode).toBe(0);
    expect(out).toContain('matrix show');
  });

  it('refuses a shell it does not know', async () => {
    const { exitCode, err } = await runVdoctl(['completion', 'powershell']);
    expect(exitCode).toBe(2);
    expect(err).toContain('bash, zsh, fish');
  });
});
