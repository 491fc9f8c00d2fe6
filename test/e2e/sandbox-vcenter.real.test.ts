import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { createSystemRandom } from '@vdo/base/random';
import { startOnTerminal } from '@vdo/vdoctl/testing/pty';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { afterEach, describe, expect, it } from 'vitest';
import { startVcsim } from '../harness/vcsim.ts';
import { leftOf, nothingLeft, sandboxHome, vdoctlProgram } from './sandbox-process.ts';

const undo: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
/** A home with a password in it, outside of what the sandbox may leave files in. */
const home = (password: string) => {
  const made = sandboxHome();
  const passwords = sandboxHome().folder;
  const passwordFile = join(passwords, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  undo.push(() => {
    for (const folder of [made.folder, passwords]) rmSync(folder, { recursive: true, force: true });
  });
  return { ...made, passwordFile };
};

describe('the sandbox with a vCenter that is not its own', { timeout: 400_000 }, () => {
  // Plain vcsim says that it is 6.5: operator, CPI and CSI take it with a warning.
  it.each(['8.0.3', '6.5.0'])(
    'uses VMs of govmomi’s vcsim (%s) as nodes, and gives it back as it was',
    async (version) => {
      const vcsim = await startVcsim({ version, vms: 3, hosts: 2, datastores: 1 });
      undo.push(() => vcsim.stop());
      const { folder, start, passwordFile } = home(vcsim.password);
      // What VMware Tools would tell; vcsim has no guests.
      for (const [index, vm] of ['DC0_C0_RP0_VM0', 'DC0_C0_RP0_VM1'].entries())
        await vcsim.govc(
          ...['vm.change', '-vm', vm, '-e', `SET.guest.ipAddress=10.20.30.${index + 1}`],
          ...['-e', `SET.guest.hostName=node-${index + 1}`, '-e', 'disk.EnableUUID=TRUE'],
        );
      const before = await vcsim.govc('find', '/');
      const sandbox = start([
        ...['--vcenter', `https://${vcsim.host}:${vcsim.port}/sdk`, '--thumbprint', vcsim.thumbprintSha256],
        ...['--user', vcsim.username, '--password-file', passwordFile, '--yes'],
        ...['--node-vms', '/DC0/vm/DC0_C0_RP0_VM0', '--node-vms', '/DC0/vm/DC0_C0_RP0_VM1'],
        ...['--simulate-mounts', '--once', '--timeout', '100s'],
      ]);
      const code = await sandbox.ended;
      const reported = sandbox.reported();
      expect(code, reported).toBe(0);
      expect(reported).toContain('using 2 of 2 selected VMs: DC0_C0_RP0_VM0, DC0_C0_RP0_VM1');
      expect(reported).toContain('2 of 2 nodes initialized');
      expect(reported).toContain('3 of 3 pods ready, 3 of 3 volumes bound; mounts are simulated');
      expect(reported).not.toContain(vcsim.password);
      expect((await vcsim.govc('volume.ls')).trim()).toBe('');
      expect(await vcsim.govc('find', '/')).toBe(before);
      expect(await vcsim.govc('session.ls')).not.toContain('vdo');
      expect(leftOf(folder)).toEqual(nothingLeft);
    },
  );

  it('gives vsphere-sim back as it was at Ctrl-C, and refuses to break it', async () => {
    const clock = createSystemClock();
    const sim = createVSphereSim({ model: demoModel(), clock, random: createSystemRandom() });
    const server = await serveVSphereSim(sim, { clock });
    undo.push(() => server.close());
    const { folder, env, start, passwordFile } = home('obviously-fake-csi');
    const sandbox = start([
      ...['--vcenter', server.url, '--thumbprint', server.thumbprints.sha256, '--node-vms', '/demo/vm/kubernetes'],
      ...['--user', 'csi@vsphere.local', '--password-file', passwordFile, '--yes', '--simulate-mounts'],
    ]);
    await sandbox.says('The sandbox runs until');
    expect(sim.volumes.list()).toHaveLength(3);
    expect(sandbox.reported()).toContain('vCenter      https://127.0.0.1');
    expect(sandbox.reported()).not.toContain('obviously-fake');
    const refused = start(['break', 'datastore-full']);
    expect(await refused.ended).toBe(2);
    expect(refused.reported()).toContain('datastore-full needs the simulated vCenter');
    const played = start(['break', 'csi-controller-killed']);
    expect(await played.ended).toBe(0);
    const status = start(['status', '-o', 'json']);
    await status.ended;
    expect(status.reported()).not.toContain('obviously-fake');
    expect(env.VDO_SANDBOX_RECORD).toBeTruthy();
    sandbox.kill('SIGINT');
    expect(await sandbox.ended, sandbox.reported()).toBe(0);
    expect(sandbox.reported()).toContain('its disks deleted from vCenter');
    expect(sandbox.reported()).toContain('stopped; nothing is left behind');
    expect(sim.volumes.list()).toEqual([]);
    expect(leftOf(folder)).toEqual(nothingLeft);
  });

  it('finds what a killed one left in vCenter by its cluster id alone, and removes it', async () => {
    const clock = createSystemClock();
    const sim = createVSphereSim({ model: demoModel(), clock, random: createSystemRandom() });
    const server = await serveVSphereSim(sim, { clock });
    undo.push(() => server.close());
    const { folder, env, start, passwordFile } = home('obviously-fake-csi');
    const account = ['--user', 'csi@vsphere.local', '--password-file', passwordFile, '--yes'];
    const flags = [
      ...['--vcenter', server.url, '--thumbprint', server.thumbprints.sha256, '--node-vms', '/demo/vm/kubernetes'],
      ...[...account, '--simulate-mounts'],
    ];
    const killed = async () => {
      const sandbox = start(flags);
      await sandbox.says('The sandbox runs until');
      sandbox.kill('SIGKILL');
      await sandbox.ended;
      return sandbox.reported();
    };
    await killed();
    const first = sim.volumes.list().map(({ id }) => id);
    expect(first).toHaveLength(3);
    expect(readFileSync(`${env.VDO_SANDBOX_RECORD}.disks`, 'utf8')).not.toContain('obviously-fake');
    const reported = await killed();
    expect(reported).toMatch(/Removed 3 disks of a killed sandbox in https:\S+ \(cluster ID vdo-sandbox-/);
    const second = sim.volumes.list().map(({ id }) => id);
    expect(second).toHaveLength(3);
    expect(second.filter((id) => first.includes(id))).toEqual([]);

    const observe = start(['clean', '--dry-run', ...account]);
    expect(await observe.ended, observe.reported()).toBe(0);
    expect(observe.reported()).toMatch(/Would remove 3 disks from https:/);
    expect(sim.volumes.list()).toHaveLength(3);
    const other = start(['clean', '--vcenter', 'https://other.example.com', ...account]);
    expect(await other.ended).toBe(0);
    expect(sim.volumes.list()).toHaveLength(3);
    const clean = start(['clean', ...account]);
    expect(await clean.ended, clean.reported()).toBe(0);
    expect(clean.reported()).toMatch(/Removed 3 disks from https:/);
    expect(sim.volumes.list()).toEqual([]);
    const again = start(['clean']);
    await again.ended;
    expect(again.reported()).toBe('No leftovers of a sandbox found.\n');
    expect(leftOf(folder)).toEqual(nothingLeft);
  });

  it('asks a person for trust, the account and leave, and takes no for an answer', async () => {
    const clock = createSystemClock();
    const sim = createVSphereSim({ model: demoModel(), clock, random: createSystemRandom() });
    const server = await serveVSphereSim(sim, { clock });
    undo.push(() => server.close());
    const { folder, env } = home('none');
    const flags = ['--vcenter', server.url, '--node-vms', '/demo/vm/kubernetes/node-1', '--simulate-mounts'];
    const { TMPDIR, VDO_SANDBOX_RECORD } = env;
    const person = startOnTerminal(vdoctlProgram, ['sandbox', ...flags], { TMPDIR, VDO_SANDBOX_RECORD });
    await person.seen(server.thumbprints.sha256);
    await person.answer('Are they the same?', 'y');
    await person.answer('User of 127.0.0.1', 'csi@vsphere.local');
    await person.answer('Password of csi@vsphere.local', 'obviously-fake-csi');
    await person.seen(
      '3 disks of 1 GiB are created for the demo and attached to the VMs of these nodes: node-1.demo.example',
    );
    await person.answer('Continue?', 'n');
    await person.seen('Nothing was changed.');
    expect(await person.ended).toBe(1);
    expect(person.shown()).not.toContain('obviously-fake-csi');
    expect(sim.volumes.list()).toEqual([]);
    expect(leftOf(folder)).toEqual(nothingLeft);
  });

  it.each([
    { flags: ['--node-vms', '/DC0/vm'], says: '--node-vms has no effect without --vcenter' },
    { flags: ['--vcenter', 'http://vc'], says: 'is not a vCenter address' },
    { flags: ['--vcenter', 'https://127.0.0.1:1'], says: '--vcenter needs the VMs to use as nodes' },
    {
      flags: ['--vcenter', 'https://vc', '--snapshot', 'folder'],
      says: '--snapshot would write the password of the vCenter of --vcenter into a file',
    },
  ])('says what is wrong with $flags', async ({ flags, says }) => {
    const { start } = home('none');
    const sandbox = start(flags);
    expect(await sandbox.ended).toBe(2);
    expect(sandbox.reported().replace(/\s+/g, ' ')).toContain(says);
  });

  it('touches nothing unless it may, and shows the certificate that nobody vouches for', async () => {
    const clock = createSystemClock();
    const sim = createVSphereSim({ model: demoModel(), clock, random: createSystemRandom() });
    const server = await serveVSphereSim(sim, { clock });
    undo.push(() => server.close());
    const { start, passwordFile } = home('obviously-fake-csi');
    const place = ['--vcenter', server.url, '--user', 'csi@vsphere.local', '--password-file', passwordFile];
    const untrusted = start([...place, '--node-vms', '/demo/vm/kubernetes', '--yes']);
    expect(await untrusted.ended).toBe(5);
    expect(untrusted.reported()).toContain(`--thumbprint`);
    expect(untrusted.reported()).toContain(server.thumbprints.sha256);
    const trusted = [...place, '--thumbprint', server.thumbprints.sha256];
    const unasked = start([...trusted, '--node-vms', '/demo/vm/kubernetes']);
    expect(await unasked.ended).toBe(2);
    expect(unasked.reported()).toContain('3 disks of 1 GiB are created for the demo');
    expect(unasked.reported()).toContain('add --yes');
    const elsewhere = start([...trusted, '--node-vms', '/demo/vm/nowhere', '--yes']);
    expect(await elsewhere.ended).toBe(2);
    expect(elsewhere.reported().replace(/\s+/g, ' ')).toContain('/demo/vm/kubernetes');
    expect(sim.volumes.list()).toEqual([]);
  });
});
