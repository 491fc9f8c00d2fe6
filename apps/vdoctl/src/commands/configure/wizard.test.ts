import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData } from '@vdo/config/credentials';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import { secrets } from '@vdo/kube/types/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bundleVdoctl, startOnTerminal } from '../../testing/pty.ts';
import { type SimTestbed, startSimTestbed, testbedNamespace } from '../../testing/sim-testbed.ts';
import { administrator } from '../../testing/sim-vcenter.ts';

const crdFile = new URL('../../../../../deploy/crds/vdo.vmware.com_vspheredrivers.yaml', import.meta.url);

describe('vdoctl configure on a terminal', () => {
  let testbed: SimTestbed;
  let bundle: Awaited<ReturnType<typeof bundleVdoctl>>;
  let terminal: ReturnType<typeof startOnTerminal> | undefined;
  beforeAll(async () => {
    [testbed, bundle] = await Promise.all([startSimTestbed(), bundleVdoctl()]);
    const crd = parse(await readFile(crdFile, 'utf8')) as CustomResourceDefinition;
    await testbed.cluster.kube.create(customResourceDefinitions, crd);
  }, 120_000);
  afterEach(async () => {
    await terminal?.stop();
    // What a test has applied is not what the next one finds.
    await testbed.cluster.kube.delete(vsphereDrivers, { name: 'cluster' }).catch(() => undefined);
    await rm(join(testbed.folder, 'state'), { recursive: true, force: true });
  });
  afterAll(async () => {
    await Promise.all([testbed.stop(), bundle.remove()]);
  });
  const stateFile = () => join(testbed.folder, 'state', 'vdo', 'configure.json');
  const open = (...argv: readonly string[]) => {
    terminal = startOnTerminal(
      bundle.program,
      ['configure', '--kubeconfig', testbed.cluster.kubeconfig, '--port', String(testbed.vcenter.port), ...argv],
      { VDO_SANDBOX_RECORD: '/nonexistent', XDG_STATE_HOME: join(testbed.folder, 'state') },
    );
    return terminal;
  };
  const thumbprint = () => testbed.vcenter.flags.at(-1) ?? '';
  const logIn = async ({ answer, seen }: ReturnType<typeof open>) => {
    await answer('vCenter host name or IP address: ', testbed.server);
    await seen(thumbprint());
    await answer('Are they the same? [y/N]: ', 'y');
    await answer(`User of ${testbed.server}: `, administrator.username);
    await answer(`Password of ${administrator.username}: `, administrator.password);
  };

  it('stops at a certificate that is not the right one, and at Ctrl-C', async () => {
    const doubtful = open();
    await doubtful.answer('vCenter host name or IP address: ', testbed.server);
    await doubtful.answer('Are they the same? [y/N]: ', '');
    expect(await doubtful.ended).toBe(5);
    const left = open();
    await left.seen('vCenter host name or IP address: ');
    left.press('\u0003');
    expect(await left.ended).toBe(130);
  }, 60_000);

  it('asks, shows what the vCenter has, checks, and applies', async () => {
    const wizard = open();
    const { answer, seen } = wizard;
    await logIn(wizard);
    await seen('Step 3 of 8: Drivers');
    await answer('2) Upstream: drivers of the Kubernetes project\r\nNumber: ', '1');
    await seen('Step 4 of 8: Datacenters');
    await seen('1) /demo');
    await answer('Numbers, or Enter for all: ', '7');
    await answer('Enter numbers from 1 to 1', '1');
    // The category is guessed by its name; Enter takes it.
    await seen('identifies regions?');
    await answer('Number [2]: ', '');
    await seen('identifies zones?');
    await answer('Number [3]: ', '');
    await seen('policy vSAN Default Storage Policy');
    await seen('datastore vsanDatastore (vsan, ');
    await answer('Number [1]: ', '2');
    await answer('File volumes (ReadWriteMany) on vSAN file services? [y/N]: ', 'n');
    await seen('internal addresses of the nodes?');
    await answer('Number [1]: ', '2');
    await seen('Step 8 of 8: Review');
    await seen('passed, 0 failed');
    await seen('kind: VSphereDrivers');
    await seen('1) apply to');
    await answer('Number: ', '1');
    await seen('Applied Secret vmware-system-vdo/vcenter');
    expect(await wizard.ended).toBe(0);
    expect(wizard.shown()).not.toContain(administrator.password);

    const { spec } = await testbed.cluster.kube.get(vsphereDrivers, { name: 'cluster' });
    expect(spec).toMatchObject({
      distribution: 'Native',
      vcenters: [{ server: testbed.server, tls: { thumbprints: [thumbprint()] }, datacenters: ['/demo'] }],
      topology: { region: 'k8s-region', zone: 'k8s-zone' },
      cpi: { addresses: { internal: { network: 'Kubernetes' } } },
    });
    const secret = await testbed.cluster.kube.get(secrets, { namespace: testbedNamespace, name: 'vcenter' });
    expect(Object.values(decodeSecretData(secret.data))).toEqual([administrator.username, administrator.password]);
  }, 60_000);

  it('asks for nothing that flags or the resource say, and saves', async () => {
    const file = join(testbed.folder, 'wizard.yaml');
    const wizard = open(
      ...['--from-file', testbed.file, '--user', administrator.username],
      ...[
        '--datacenter',
        '/demo',
        '--region',
        'k8s-region',
        '--zone',
        'k8s-zone',
        '--no-csi',
        '--network',
        'Kubernetes',
      ],
    );
    await wizard.answer('Password of', administrator.password);
    await wizard.seen('Step 4 of 8: Datacenters: /demo (from the flags)');
    await wizard.seen('2) save to a file');
    await wizard.answer('Number: ', '2');
    await wizard.answer('File [drivers.yaml]: ', file);
    await wizard.answer('now? [Y/n]: ', 'n');
    await wizard.seen('create secret generic vcenter');
    expect(await wizard.ended).toBe(0);
    expect(parse(await readFile(file, 'utf8'))).toMatchObject({ spec: { topology: { zone: 'k8s-zone' } } });
    expect(wizard.shown() + (await readFile(file, 'utf8'))).not.toContain(administrator.password);
  }, 60_000);

  it('can be left, gone on with and gone back in, and keeps answers but no password', async () => {
    const first = open();
    await logIn(first);
    await first.answer('Number: ', '2');
    await first.seen('Numbers, or Enter for all: ');
    first.press('\u0003');
    expect(await first.ended).toBe(130);
    expect(first.shown()).toContain('stopped at step 4 of 8, Datacenters');
    expect(first.shown()).toContain('Your answers are saved, without the password');
    const kept = await readFile(stateFile(), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({
      step: 'datacenters',
      answers: { server: testbed.server, user: administrator.username, distribution: 'Upstream' },
    });
    expect(kept).not.toContain(administrator.password);
    expect((await stat(stateFile())).mode & 0o077).toBe(0);

    const second = open();
    await second.seen('An earlier run stopped at step 4 of 8, Datacenters');
    await second.answer('Continue from there? [Y/n]: ', '');
    await second.answer(`User of ${testbed.server} [${administrator.username}]: `, '');
    await second.answer(`Password of ${administrator.username}: `, administrator.password);
    await second.seen('Step 4 of 8');
    // Back, with the answer of before as the default; then to the account, and to where it was.
    await second.answer('Numbers, or Enter for all: ', '<');
    await second.answer('Number [2]: ', '1');
    await second.answer('Numbers, or Enter for all: ', '<');
    await second.answer('Number [1]: ', '<');
    await second.seen('Step 2 of 8: Account');
    await second.answer(`User of ${testbed.server} [${administrator.username}]: `, '<');
    await second.answer(`vCenter host name or IP address [${testbed.server}]: `, '<');
    await second.seen('This is the first step.');
    await second.answer(`vCenter host name or IP address [${testbed.server}]: `, '');
    await second.answer(`User of ${testbed.server} [${administrator.username}]: `, '');
    await second.answer(`Password of ${administrator.username}: `, administrator.password);
    await second.answer('Number [1]: ', '');
    for (const _ of ['datacenters', 'regions', 'zones', 'storage']) await second.answer(/Numbers?,? .*: /, '');
    await second.answer('File volumes (ReadWriteMany) on vSAN file services? [y/N]: ', '');
    await second.answer('Number [1]: ', '');
    await second.seen('4) quit without changes');
    const shown = second.shown();
    expect(
      shown.slice(shown.lastIndexOf('kind: VSphereDrivers'), shown.lastIndexOf('What do you want to do?')),
    ).not.toMatch(/port: 443|policy: Automatic|reclaimPolicy|deletionPolicy/);
    await second.answer('Number: ', '4');
    await second.seen('Nothing was changed. Your answers are saved');
    expect(await second.ended).toBe(0);
    expect(await readFile(stateFile(), 'utf8')).not.toContain(administrator.password);
  }, 120_000);

  it('lets one try a password again, but not so often that the account is locked', async () => {
    const wizard = open();
    const { answer, seen } = wizard;
    await answer('vCenter host name or IP address: ', testbed.server);
    await answer('Are they the same? [y/N]: ', 'y');
    await answer(`User of ${testbed.server}: `, administrator.username);
    await answer(`Password of ${administrator.username}: `, 'wrong-1');
    await seen('refused this user name and password. 2 attempts are left');
    await answer(`User of ${testbed.server} [${administrator.username}]: `, '');
    // Enter alone is a slip and counts for nothing.
    await answer(`Password of ${administrator.username}: `, '');
    await answer(`User of ${testbed.server} [${administrator.username}]: `, '');
    await answer(`Password of ${administrator.username}: `, 'wrong-2');
    await seen('1 attempt is left');
    await answer(`User of ${testbed.server} [${administrator.username}]: `, '');
    await answer(`Password of ${administrator.username}: `, 'wrong-3');
    await seen('refused 3 logins within three minutes');
    expect(await wizard.ended).toBe(5);

    // Coming back at once does not begin to count anew.
    const again = open();
    await again.answer('Continue from there? [Y/n]: ', '');
    await again.seen('refused 3 logins within three minutes');
    expect(await again.ended).toBe(5);
    const kept = await readFile(stateFile(), 'utf8');
    expect(kept).not.toMatch(/wrong-\d/);
  }, 120_000);
});
