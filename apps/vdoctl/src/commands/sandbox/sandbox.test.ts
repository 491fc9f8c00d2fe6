import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveHttp } from '@vdo/base/http-server';
import { createFaultBoard } from '@vdo/sandbox/faults/fault-board';
import { createFaultEndpoint } from '@vdo/sandbox/faults/fault-endpoint';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSandbox, isOwnFile, type SandboxRecord } from '../../shared/cluster/sandbox-record.ts';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { lockSandbox, refuseSecond, removeRecord, sweepAfterCrash, writeRecord } from './record.ts';
import { findBundles } from './repository.ts';
import { whatNow } from './view.ts';

let folder = '';
let env: { readonly VDO_SANDBOX_RECORD: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vdoctl-sandbox-'));
  env = { VDO_SANDBOX_RECORD: join(folder, 'record.json') };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const record: SandboxRecord = {
  pid: process.pid,
  folder: '/tmp/vdo-abc123',
  kubeconfig: '/tmp/vdo-abc123/kubeconfig',
  vcenter: { url: 'https://127.0.0.1:1', username: 'csi@vsphere.local', password: 'obviously-fake' },
  dashboard: 'http://127.0.0.1:2/',
};

describe('the record of a sandbox', () => {
  it('is for its owner alone, and is gone afterwards', async () => {
    writeFileSync(env.VDO_SANDBOX_RECORD, 'left by a crash', { mode: 0o644 });
    await writeRecord({ env }, record);
    expect(statSync(env.VDO_SANDBOX_RECORD).mode & 0o777).toBe(0o600);
    expect(await findSandbox(env)).toEqual(record);
    removeRecord({ env });
    expect(await findSandbox(env)).toBeUndefined();
  });

  it('is believed only if nobody else can have written it', async () => {
    await writeRecord({ env }, record);
    for (const mode of [0o620, 0o602, 0o666]) {
      chmodSync(env.VDO_SANDBOX_RECORD, mode);
      expect(await findSandbox(env)).toBeUndefined();
    }
    const elsewhere = join(folder, 'elsewhere.json');
    renameSync(env.VDO_SANDBOX_RECORD, elsewhere);
    chmodSync(elsewhere, 0o600);
    symlinkSync(elsewhere, env.VDO_SANDBOX_RECORD);
    expect(await findSandbox(env)).toBeUndefined();
    rmSync(env.VDO_SANDBOX_RECORD);
    renameSync(elsewhere, env.VDO_SANDBOX_RECORD);
    expect(await findSandbox(env)).toEqual(record);
    expect(isOwnFile(env.VDO_SANDBOX_RECORD, (process.getuid?.() ?? 0) + 1)).toBe(false);
  });

  it('is locked without following a link that others have put there', () => {
    const precious = join(folder, 'precious');
    writeFileSync(precious, 'kept');
    symlinkSync(precious, `${env.VDO_SANDBOX_RECORD}.lock.${process.pid}`);
    lockSandbox({ env }, process.pid).release();
    expect(readFileSync(precious, 'utf8')).toBe('kept');
  });

  it('refuses a second sandbox, with the process to end', async () => {
    await writeRecord({ env }, record);
    await expect(refuseSecond({ env })).rejects.toMatchObject({
      code: 'SandboxRunning',
      message: expect.stringContaining(`process ${process.pid}`),
      remedy: expect.stringContaining(`kill ${process.pid}`),
    });
  });

  it('counts for nothing if its process is gone, or if it is no record', async () => {
    // Larger than any process id.
    await writeRecord({ env }, { ...record, pid: 2 ** 30 });
    await expect(refuseSecond({ env })).resolves.toBeUndefined();
    writeFileSync(env.VDO_SANDBOX_RECORD, 'no JSON');
    await expect(refuseSecond({ env })).resolves.toBeUndefined();
  });

  it('leads to what a sandbox that was killed has left, but only to a folder of ours that a sandbox made', async () => {
    const uid = process.getuid?.() ?? -1;
    const left = mkdtempSync(join(folder, 'vdo-'));
    const foreign = mkdtempSync(join(folder, 'precious-'));
    const dead = 2 ** 30;
    for (const untouched of [
      { ...record, pid: dead, folder: foreign },
      { ...record, folder: left },
    ]) {
      await writeRecord({ env }, untouched);
      expect(sweepAfterCrash({ env }, uid)).toBeUndefined();
    }
    await writeRecord({ env }, { ...record, pid: dead, folder: left });
    expect(sweepAfterCrash({ env }, uid + 1)).toBeUndefined();
    expect([existsSync(left), existsSync(foreign)]).toEqual([true, true]);
    expect(sweepAfterCrash({ env }, uid)).toBe(left);
    expect([existsSync(left), existsSync(foreign)]).toEqual([false, true]);
  });

  it('tells how to help itself where it cannot be written', async () => {
    await expect(writeRecord({ env: { VDO_SANDBOX_RECORD: '/nonexistent/record' } }, record)).rejects.toMatchObject({
      code: 'SandboxFolderUnusable',
      remedy: expect.stringContaining('VDO_SANDBOX_RECORD='),
    });
  });
});

describe('vdoctl sandbox break, heal and status', () => {
  const serve = async () => {
    const holding = { reported: 'vCenter refuses every call.', heal: async () => undefined };
    const faults = { 'vcenter-down': async () => holding, 'session-expired': async () => ({ reported: 'Ended.' }) };
    const server = await serveHttp({
      handler: createFaultEndpoint(
        createFaultBoard(faults, async () => undefined),
        'obviously-fake-token',
      ),
      port: 0,
    });
    await writeRecord({ env }, { ...record, control: { url: server.url, token: 'obviously-fake-token' } });
    return server;
  };

  it('say what was done, what to watch and how to undo it', async () => {
    const server = await serve();
    try {
      const broken = await runVdoctl(['sandbox', 'break', 'vcenter-down'], { env });
      expect(broken.exitCode).toBe(0);
      expect(broken.out).toBe(
        [
          'vCenter refuses every call.',
          'Watch    condition VCenterReachable, check vcenter/tcp; running pods keep their volumes',
          '         vdoctl status, vdoctl events, the dashboard',
          'Heal     vdoctl sandbox heal vcenter-down',
          'Remedy   not possible in a sandbox: the remedy is to start vCenter, which is part of the sandbox',
          '',
        ].join('\n'),
      );
      const status = await runVdoctl(['sandbox', 'status'], { env });
      expect(status.out).toContain('Faults       vcenter-down\n  vCenter refuses every call.\n');
      const json = await runVdoctl(['sandbox', 'status', '-o', 'json'], { env });
      expect(JSON.parse(json.out)).toMatchObject({ pid: process.pid, broken: [{ name: 'vcenter-down' }] });
      expect(json.out).not.toContain('obviously-fake');
      expect((await runVdoctl(['sandbox', 'heal'], { env })).out).toBe(
        'Healed: vcenter-down\nNext: run vdoctl status\n',
      );
      expect((await runVdoctl(['sandbox', 'heal'], { env })).out).toBe('There are no active faults.\n');
      const once = await runVdoctl(['sandbox', 'break', 'session-expired'], { env });
      expect(once.out).toContain('Heal    not needed: the effect is temporary');
    } finally {
      await server.close();
    }
  });

  it('pass on why something cannot be broken', async () => {
    const server = await serve();
    try {
      const { exitCode, err } = await runVdoctl(['sandbox', 'break', 'vm-deleted'], { env });
      expect(exitCode).toBe(2);
      expect(err).toContain('Error: vm-deleted needs the simulated vCenter');
      expect((await runVdoctl(['sandbox', 'break', 'meteor'], { env })).exitCode).toBe(2);
    } finally {
      await server.close();
    }
  });

  it('list what can break, and what is broken, if nothing is named', async () => {
    await expect((await runVdoctl(['sandbox', 'break'], { env })).out).toMatchFileSnapshot('golden/faults.txt');
    const server = await serve();
    try {
      await runVdoctl(['sandbox', 'break', 'vcenter-down'], { env });
      const { exitCode, out } = await runVdoctl(['sandbox', 'break'], { env });
      expect(exitCode).toBe(0);
      expect(out).toMatch(/^vcenter-down +vCenter does not answer \(active\)$/m);
      expect(out).toContain('vdoctl sandbox break NAME');
    } finally {
      await server.close();
    }
  });

  it('say that none runs', async () => {
    for (const command of [['break', 'vcenter-down'], ['heal'], ['status']]) {
      const { exitCode, err } = await runVdoctl(['sandbox', ...command], { env });
      expect(exitCode).toBe(1);
      expect(err).toContain('Error: no sandbox is running');
      expect(err).toContain('vdoctl sandbox');
    }
  });
});

describe('vdoctl sandbox', () => {
  it('has a name of its own beside others', async () => {
    const named = { ...env, VDO_SANDBOX: 'blue' };
    await writeRecord({ env: named }, record);
    expect(readFileSync(join(folder, 'record-blue.json'), 'utf8')).toContain(record.folder);
    await expect(refuseSecond({ env })).resolves.toBeUndefined();
    await expect(refuseSecond({ env: named })).rejects.toMatchObject({
      message: expect.stringContaining('a sandbox blue is already running'),
      remedy: expect.stringContaining('--name'),
    });
    expect((await runVdoctl(['--sandbox', 'blue', 'sandbox', 'status'], { env })).out).toContain(record.kubeconfig);
    expect((await runVdoctl(['sandbox', 'status'], { env })).err).toContain('no sandbox is running');
  });

  it('is never taken for another one: of a name that does not run nothing else is asked', async () => {
    await writeRecord({ env }, record);
    const elsewhere = { ...env, KUBECONFIG: join(folder, 'kubeconfig-of-a-real-cluster') };
    for (const command of [['status'], ['uninstall', '--yes'], ['sandbox', 'heal'], ['vsphere', 'policies', 'list']]) {
      const { exitCode, err } = await runVdoctl(['--sandbox', 'green', ...command], { env: elsewhere });
      expect(exitCode).toBe(1);
      expect(err).toContain('the sandbox green is not running');
    }
    const odd = await runVdoctl(['--sandbox', '../x', 'status'], { env });
    expect(odd).toMatchObject({ exitCode: 2, err: expect.stringContaining('is not a valid sandbox name') });
  });

  it('refuses to start beside a running one', async () => {
    await writeRecord({ env }, record);
    const { exitCode, err } = await runVdoctl(['sandbox'], { env });
    expect(exitCode).toBe(1);
    expect(err).toContain('a sandbox is already running');
    expect(JSON.parse(readFileSync(env.VDO_SANDBOX_RECORD, 'utf8'))).toEqual(record);
  });

  it.each([
    { flags: ['--real', '--kubeconfig', 'file'], says: '--real starts a local cluster' },
    { flags: ['--real', '--snapshot', 'folder'], says: 'and --real starts another one' },
    { flags: ['--kubeconfig', 'file', '--snapshot', 'folder'], says: 'and --kubeconfig selects another one' },
    { flags: ['--vcenter', 'vc', '--snapshot', 'folder'], says: '--snapshot would write the password' },
    { flags: ['--node-vms', '/DC/vm'], says: '--node-vms has no effect without --vcenter' },
    { flags: ['--context', 'lab'], says: '--context has no effect without --kubeconfig' },
    { flags: ['--vcenter', 'vc'], says: '--vcenter needs the VMs to use as nodes' },
  ])('says what does not fit together: $flags', async ({ flags, says }) => {
    const { exitCode, err } = await runVdoctl(['sandbox', ...flags], { env });
    expect(exitCode).toBe(2);
    expect(err.replace(/\s+/g, ' ')).toContain(says);
  });

  it('names programs that are not built', () => {
    expect(() => findBundles(folder)).toThrow(/operator, cpi, csi does not exist/);
  });

  it('refuses a folder that cannot be written, and a port that is taken', async () => {
    const unwritable = await runVdoctl(['sandbox', '--once'], { env: { ...env, TMPDIR: '/nonexistent' } });
    expect(unwritable.exitCode).toBe(1);
    expect(unwritable.err).toContain('Error: cannot write to /nonexistent');
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const args = ['sandbox', '--once', '--dashboard-port', String(port)];
    const taken = await runVdoctl(args, { env: { ...env, TMPDIR: folder } });
    other.close();
    expect(taken.exitCode).toBe(1);
    expect(taken.err).toContain(`Error: cannot listen on 127.0.0.1:${port}`);
    expect(await findSandbox(env)).toBeUndefined();
  });

  it('says where everything is and what to try', async () => {
    const { kubeconfig } = record;
    const dashboard = 'http://127.0.0.1:2/';
    const account = {
      url: 'https://127.0.0.1:1',
      username: 'csi@vsphere.local',
      password: 'obviously-fake',
      administrator: { username: 'administrator@vsphere.local', password: 'obviously-fake' },
    };
    const own = whatNow({ kubeconfig, dashboard, vcenter: { ...account, isSimulated: true } });
    await expect(own).toMatchFileSnapshot('golden/what-now.txt');
    const outside = whatNow({ kubeconfig, dashboard, vcenter: { ...account, isSimulated: false } });
    expect(outside).not.toContain('obviously-fake');
    expect(outside).not.toContain('vcenter-down');
  });
});
