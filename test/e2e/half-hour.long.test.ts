import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startOnTerminal } from '@vdo/vdoctl/testing/pty';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { leftOf, nothingLeft, sandboxHome, vdoctlProgram } from './sandbox-process.ts';

/**
 * The first half hour of somebody who has read the README and the tutorial, in a pseudo-terminal: start, look around, five
 * faults with what each tells and how it ends, a mistake or two, uninstall, stop.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const { folder, env: home, clean } = sandboxHome();
const env = { TMPDIR: folder, HOME: folder, VDO_SANDBOX_RECORD: home.VDO_SANDBOX_RECORD, KUBECONFIG: '' };
const terminals: ReturnType<typeof startOnTerminal>[] = [];
const open = (...argv: readonly string[]) => {
  const terminal = startOnTerminal(vdoctlProgram, argv, env);
  terminals.push(terminal);
  return terminal;
};
/** Types a command and reads what it shows until it ends. */
const type = async (...argv: readonly string[]) => {
  const terminal = open(...argv);
  const exitCode = await terminal.ended;
  return { exitCode, shown: terminal.shown() };
};
const headline = async (): Promise<string> => /^(\w+) {2}https:/m.exec((await type('status')).shown)?.[1] ?? '';

/** Each fault with the word of the status, and the check that it names. */
const faults = [
  ['bad-password', 'ActionRequired|Degraded', 'credentials/login'],
  ['vcenter-down', 'Degraded', 'vcenter/tcp'],
  ['privilege-lost', 'ActionRequired|Degraded', 'privileges/'],
  ['tools-stopped', 'Degraded', 'node/tools-running'],
  ['disk-uuid-off', 'Degraded', 'node/disk-enable-uuid'],
] as const;

describe('a new user’s half hour', { timeout: 300_000 }, () => {
  let sandbox: ReturnType<typeof startOnTerminal>;
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['tools/build.mjs'], { cwd: root });
    sandbox = open('sandbox', '--simulate-mounts', '--timeout', '200s');
    await waitFor(async () => sandbox.shown().includes('The sandbox runs until'), {
      what: 'the sandbox',
      timeoutMs: 280_000,
    });
  }, 400_000);
  afterAll(async () => {
    await Promise.all(terminals.map((terminal) => terminal.stop()));
    await clean();
  });

  it('finds out where to begin', async () => {
    const { exitCode, shown } = await type();
    expect(exitCode).toBe(0);
    expect(shown).toContain('New here?');
    expect(shown).toContain('vdoctl sandbox');
  });

  it('looks around', async () => {
    expect(await type('status')).toMatchObject({ exitCode: 0, shown: expect.stringMatching(/Healthy {2}https:/) });
    expect(await type('nodes')).toMatchObject({ exitCode: 0, shown: expect.stringContaining('INITIALIZED') });
    expect(await type('volumes', '-A')).toMatchObject({ exitCode: 0, shown: expect.stringContaining('data-diary-0') });
    expect(await type('volumes', '-o', 'name')).toMatchObject({
      exitCode: 0,
      shown: expect.stringContaining('persistentvolume/pvc-'),
    });
    expect(await type('logs', 'operator', '--tail', '5')).toMatchObject({ exitCode: 0 });
    expect(await type('sandbox', 'status')).toMatchObject({ exitCode: 0, shown: expect.stringContaining('none') });
    expect(await type('version')).toMatchObject({ exitCode: 0, shown: expect.stringContaining('Operator') });
  });

  it('mistypes, and is told what was meant', async () => {
    expect(await type('statsu')).toMatchObject({
      exitCode: 2,
      shown: expect.stringContaining('Did you mean vdoctl status?'),
    });
    expect(await type('nodes', 'node1')).toMatchObject({
      exitCode: 4,
      shown: expect.stringContaining('Did you mean node-1?'),
    });
    expect(await type('volumes', '-n', 'defualt')).toMatchObject({
      exitCode: 2,
      shown: expect.stringContaining('Did you mean default?'),
    });
    expect(await type('sandbox', 'break', 'vcenter-dwn')).toMatchObject({
      exitCode: 2,
      shown: expect.stringContaining('Did you mean vcenter-down?'),
    });
  });

  it.each(faults)('breaks it with %s, is told what is wrong, and sees it well again', async (fault, word, check) => {
    expect((await type('sandbox', 'break', fault)).exitCode).toBe(0);
    let shown = '';
    await waitFor(
      async () => {
        shown = (await type('status')).shown;
        return shown.includes(check);
      },
      { what: `${check} in the status`, timeoutMs: 120_000, everyMs: 1_000 },
    );
    expect(shown).toMatch(new RegExp(`^(${word}) {2}https:`, 'm'));
    // Each word that the status tells to explain is explained, and the sandbox says how to heal it.
    const words = [...shown.matchAll(/vdoctl explain ([A-Z]\w*[a-z]\w*)/g)].map(([, one = '']) => one);
    expect(words.length).toBeGreaterThan(0);
    for (const one of new Set(words)) expect((await type('explain', one)).exitCode).toBe(0);
    expect(shown).toContain(`vdoctl sandbox heal ${fault}`);
    expect((await type('sandbox', 'heal', fault)).exitCode).toBe(0);
    await waitFor(async () => (await headline()) === 'Healthy', {
      what: 'a healthy status',
      timeoutMs: 180_000,
      everyMs: 1_000,
    });
  });

  it('watches, and leaves with Ctrl-C', async () => {
    const watching = open('status', '--watch');
    await watching.seen('Healthy  https:');
    watching.press('\u0003');
    expect(await watching.ended).toBe(0);
  });

  it('uninstalls: the volumes hold it back, and stay where they are', async () => {
    const refused = await type('uninstall', '--yes');
    expect(refused.exitCode).toBeGreaterThan(0);
    expect(refused.shown).toContain('--orphan-volumes');
    const agreed = open('uninstall', '--orphan-volumes');
    await agreed.answer('[y/N] ', 'y');
    expect(await agreed.ended).toBe(0);
    expect(await type('status')).toMatchObject({ exitCode: 3, shown: expect.stringMatching(/Absent {2}https:/) });
  });

  it('stops it, and nothing is left', async () => {
    sandbox.press('\u0003');
    await sandbox.ended;
    expect(leftOf(folder)).toEqual(nothingLeft);
  });
});
