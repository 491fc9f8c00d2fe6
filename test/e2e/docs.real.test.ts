import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partPath } from '../harness/parts.ts';
import { CommandError, run } from '../harness/run.ts';
import { waitFor } from '../harness/wait-for.ts';
import { sandboxHome, vdoctlProgram } from './sandbox-process.ts';

/**
 * What the documentation tells people to type is typed here, in a sandbox. A block is run if its fence says so:
 * "```sh sandbox", or "```sh sandbox vcenter-down" with that fault. A comment of one word is the first word of the answer.
 */
interface Block {
  readonly place: string;
  readonly fault: string | undefined;
  readonly commands: readonly { readonly line: string; readonly answer: string | undefined }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = execFileSync('git', ['ls-files', 'README.md', 'docs/**.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => !path.startsWith('docs/reference/'));

const commandsOf = (text: string): Block['commands'] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ line: line.trim(), answer: /\s#\s+([A-Z]\w+)$/.exec(line)?.[1] }));

const blocksOf = (path: string): readonly Block[] => {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/^```sh sandbox ?([\w-]*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    place: `${path}:${text.slice(0, found.index).split('\n').length}`,
    fault: found[1] || undefined,
    commands: commandsOf(found[2] ?? ''),
  }));
};

/** A command that looks says by its exit code what it saw: 3 is "not well", and 1 of grep is "nothing of that". */
const isAnswer = (line: string, exitCode: number): boolean =>
  exitCode === 0 ||
  (exitCode === 3 && /vdoctl (status|doctor|nodes|volumes)\b/.test(line)) ||
  (exitCode === 1 && /\| grep .+$/.test(line));

const { folder, env, start, clean } = sandboxHome();
const cwd = join(folder, 'checkout');
const bin = join(folder, 'bin');
const blocks = documents.flatMap(blocksOf);

const writeProgram = (name: string, script: string): void => {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
};

describe('what the documentation tells to type', { timeout: 300_000 }, () => {
  let kubeconfig = '';
  let password = '';
  beforeAll(async () => {
    const sandbox = start(['--simulate-mounts', '--timeout', '200s']);
    for (const made of [cwd, bin]) mkdirSync(made);
    // Commands may write files: not into the checkout itself.
    for (const name of readdirSync(root).filter((one) => !one.startsWith('.')))
      symlinkSync(join(root, name), join(cwd, name));
    writeFileSync(join(cwd, 'drivers.yaml'), readFileSync(join(root, 'deploy/samples/minimal.yaml')));
    writeProgram('vdoctl', `exec ${process.execPath} ${vdoctlProgram} "$@"`);
    // As after npm ci; that npx itself finds it is tried in a clone.
    writeProgram('npx', 'test "$1" = vdoctl && shift && exec vdoctl "$@"');
    writeProgram('kubectl', `exec ${partPath('kubectl')} "$@"`);
    await sandbox.says('The sandbox runs until');
    const record = JSON.parse(readFileSync(env.VDO_SANDBOX_RECORD, 'utf8'));
    kubeconfig = record.kubeconfig;
    password = record.vcenter.administrator.password;
  });
  afterAll(clean);

  const type = async (line: string) => {
    // In a tutorial vdoctl finds the sandbox by itself; elsewhere a reader's kubectl knows its cluster.
    const settings = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, VDO_VCENTER_PASSWORD: password };
    const known = line.includes('npx vdoctl') ? {} : { KUBECONFIG: kubeconfig };
    try {
      return { exitCode: 0, out: await run('bash', ['-c', line], { cwd, env: { ...env, ...settings, ...known } }) };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { exitCode: error.exitCode, out: `${error.stdout}\n${error.stderr}` };
    }
  };
  const play = async (line: string): Promise<void> => {
    const { exitCode, out } = await type(line);
    if (exitCode !== 0) throw new Error(`${line} ended with ${exitCode}\n${out}`);
  };

  it('is found in README, tutorials, guides and runbooks', () => {
    const places = blocks.map(({ place }) => place);
    for (const part of ['README.md', 'docs/tutorials/', 'docs/guides/', 'docs/runbooks/'])
      expect(places.filter((place) => place.startsWith(part)).length, part).toBeGreaterThan(0);
  });

  it.each(blocks)('works: $place', async ({ fault, commands }) => {
    if (fault !== undefined) await play(`vdoctl sandbox break ${fault}`);
    try {
      for (const { line, answer } of commands) {
        const typed = await type(line);
        expect(isAnswer(line, typed.exitCode), `${line} ended with ${typed.exitCode}\n${typed.out}`).toBe(true);
        if (answer !== undefined)
          await waitFor(
            async () => {
              const { out } = await type(line);
              if (!out.startsWith(answer)) throw new Error(out);
              return true;
            },
            { what: `"${line}" to say ${answer}`, timeoutMs: 150_000, everyMs: 1_000 },
          );
      }
    } finally {
      const isBroken = fault !== undefined || commands.some(({ line }) => line.includes('sandbox break'));
      if (isBroken) await play('vdoctl sandbox heal');
    }
  });
});
