import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSystemClock } from '@vdo/base/clock';
import { healthOf } from '@vdo/config/api/health';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { type ConnectedKubeClient, connectKube } from '@vdo/kube/connect-kube';
import { describeFault, faultCatalogue } from '@vdo/sandbox/faults/fault-catalogue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../checks/remedy-commands.ts';
import { waitFor } from '../harness/wait-for.ts';
import { type SandboxProcess, sandboxHome, vdoctlProgram } from './sandbox-process.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const home = sandboxHome();
/** In a folder of its own, beside another one: several run at the same time. */
const name = 'blue';
const record = () => JSON.parse(readFileSync(home.env.VDO_SANDBOX_RECORD.replace('.json', `-${name}.json`), 'utf8'));

interface Row {
  readonly fault: string;
  readonly shownAfter?: number;
  readonly word: string;
  readonly exitCode: number;
  readonly remedy: string;
  readonly greenAfter?: number;
  readonly healedAfter?: number;
}
const rows: Row[] = [];

/** Which checks are about it. */
const checksOf: Readonly<Record<string, RegExp>> = {
  'bad-password': /^credentials\/login$/,
  'privilege-lost': /^privileges\//,
  'disk-uuid-off': /^node\/disk-enable-uuid$/,
};

describe('the faults of the sandbox', { timeout: 400_000 }, () => {
  let kube: ConnectedKubeClient;
  let administrator = '';
  let sandbox: SandboxProcess;
  const vdoctl = async (...args: readonly string[]) => {
    const env = { ...home.env, VDO_VCENTER_PASSWORD: administrator };
    const all = [vdoctlProgram, '--sandbox', name, ...args];
    const { code, stdout, stderr } = await run(process.execPath, all, { env, maxBuffer: 64 << 20 }).then(
      (done) => ({ code: 0, ...done }),
      (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
    );
    return { code, text: `${stdout}${stderr}` };
  };
  const observe = async () => {
    const resource = await kube.get(vsphereDrivers, { name: vsphereDriversName });
    const { word, reason } = healthOf(resource);
    return { word, reason, checks: resource.status?.checks };
  };
  /** Seconds until it holds. */
  const timed = async (
    what: string,
    holds: (seen: Awaited<ReturnType<typeof observe>>) => boolean,
  ): Promise<number> => {
    const startedMs = performance.now();
    let last: unknown;
    const ask = async () => {
      const seen = await observe();
      last = seen;
      return holds(seen) || undefined;
    };
    await waitFor(ask, { what, timeoutMs: 180_000, everyMs: 250 }).catch((error: Error) => {
      throw new Error(`${error.message}\n${JSON.stringify(last, undefined, 1)}`);
    });
    return Math.round((performance.now() - startedMs) / 100) / 10;
  };
  const isGreen = ({ word, checks }: Awaited<ReturnType<typeof observe>>) => word === 'Healthy' && checks?.fail === 0;

  beforeAll(async () => {
    await run(process.execPath, ['tools/build.mjs'], { cwd: root });
    sandbox = home.start(['--simulate-mounts', '--timeout', '5m', '--name', name]);
    await sandbox.says('The sandbox runs until', 600_000);
    expect(sandbox.reported()).toContain(`npx vdoctl --sandbox ${name} status`);
    const { kubeconfig, vcenter } = record();
    administrator = vcenter.administrator.password;
    kube = await connectKube({ kubeconfigPath: kubeconfig, env: {}, clock: createSystemClock() });
  }, 900_000);

  afterAll(async () => {
    await home.clean();
    const columns = ['fault', 'shownAfter', 'word', 'exitCode', 'remedy', 'greenAfter', 'healedAfter'] as const;
    console.log(rows.map((row) => columns.map((column) => row[column] ?? '-').join(' | ')).join('\n'));
  }, 120_000);

  it('leave the demo readable: what its pods write is their log', async () => {
    const key = { namespace: 'default', name: 'diary-0' };
    const { clusters, users } = JSON.parse(readFileSync(record().kubeconfig, 'utf8'));
    const url = `${clusters[0].cluster.server}/api/v1/namespaces/default/pods/${key.name}/log`;
    const args = ['-sk', '-H', `Authorization: Bearer ${users[0].user.token}`, url];
    await waitFor(async () => (await run('curl', args)).stdout.includes('diary-0 was here'), {
      what: 'the log of the demo',
      timeoutMs: 30_000,
    });
  });

  it('are of the sandbox that is named, and no other is taken for it', async () => {
    const { code, text } = await vdoctl('status');
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining(`the sandbox ${name}`) });
    const all = [vdoctlProgram, '--sandbox', 'green', 'status'];
    await expect(run(process.execPath, all, { env: home.env })).rejects.toMatchObject({
      stderr: expect.stringContaining('the sandbox green is not running'),
    });
    await expect(run(process.execPath, [vdoctlProgram, 'sandbox', 'status'], { env: home.env })).rejects.toMatchObject({
      stderr: expect.stringContaining('no sandbox is running'),
    });
  });

  /** Breaks it, and tells how it shows. */
  const strike = async (fault: string, isQuiet: boolean) => {
    // What an earlier one that failed has left.
    await vdoctl('sandbox', 'heal');
    await timed('health', isGreen);
    const reported = await vdoctl('sandbox', 'break', fault);
    expect(reported).toMatchObject({ code: 0 });
    const shownAfter = isQuiet
      ? undefined
      : await timed(`${fault} to show`, ({ word: now }) => !/Healthy|Attention/.test(now));
    const { word } = await observe();
    const { code: exitCode } = await vdoctl('status');
    if (!isQuiet)
      expect({ word, exitCode }).toEqual({ word: expect.not.stringMatching(/Healthy|Attention/), exitCode: 3 });
    return {
      reported: reported.text.replace(/\s+/g, ' '),
      fault,
      word,
      exitCode,
      ...(shownAfter === undefined ? {} : { shownAfter }),
    };
  };
  const heal = async (fault: string): Promise<number> => {
    expect(await vdoctl('sandbox', 'heal')).toMatchObject({ code: 0 });
    return timed(`health after ${fault} was healed`, isGreen);
  };
  const runnable = faultCatalogue.map((fault) => fault.name).filter((fault) => fault in checksOf);
  const others = faultCatalogue.map((fault) => fault.name).filter((fault) => !(fault in checksOf));

  it.each(runnable)(
    '%s is repaired by the commands that the status prints, and heal does no harm then',
    async (fault) => {
      const { reported, ...shown } = await strike(fault, false);
      expect(reported).toContain('Remedy run the commands that vdoctl status prints');
      const isIt = checksOf[fault] ?? /^$/;
      const failing = async () =>
        (await observe()).checks?.failing?.find(({ id, commands = [] }) => isIt.test(id) && commands.length > 0);
      const found = await waitFor(failing, { what: `the remedy of ${fault}`, timeoutMs: 60_000 });
      const commands = found?.commands ?? [];
      for (const command of commands) {
        const [program, ...words] = wordsOf(command);
        expect(program).toBe('vdoctl');
        const done = await vdoctl(...words);
        expect(done.code, `${command}\n${done.text}`).toBe(0);
      }
      const greenAfter = await timed(`health after ${commands.join('; ')}`, isGreen);
      rows.push({ ...shown, remedy: commands.join('; '), greenAfter, healedAfter: await heal(fault) });
      expect(greenAfter).toBeLessThanOrEqual(10);
    },
  );

  it.each(others)('%s passes by itself, or says why its remedy cannot be carried out here', async (fault) => {
    const { once = false, onlyHeal } = describeFault(fault) ?? {};
    expect(once).toBe(onlyHeal === undefined);
    // Nothing fails: everybody logs in again, or everything is only slower.
    const { reported, ...shown } = await strike(fault, once || fault === 'slow-vcenter');
    expect(reported).toContain(onlyHeal ?? 'the effect is temporary');
    rows.push({ ...shown, remedy: once ? 'none: it passes' : 'words', healedAfter: await heal(fault) });
  });

  it('are over at Ctrl-C, without a warning of anybody and with nothing left', async () => {
    await kube.close();
    const before = sandbox.reported().length;
    sandbox.kill('SIGINT');
    expect(await sandbox.ended).toBe(0);
    const last = sandbox.reported().slice(before);
    expect(last).toContain('nothing is left behind');
    expect(last).not.toMatch(/\(node:\d+\)|warn|error/i);
  });
});
