import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData } from '@vdo/config/credentials';
import { type CustomResourceDefinition, customResourceDefinitions } from '@vdo/kube/types/cluster';
import { secrets } from '@vdo/kube/types/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bundleVdoctl, startOnTerminal } from '../../testing/pty.ts';
import { houseNamespace, type SimHouse, startSimHouse } from '../../testing/sim-house.ts';
import { administrator } from '../../testing/sim-vcenter.ts';

const crdFile = new URL('../../../../../deploy/crds/vdo.vmware.com_vspheredrivers.yaml', import.meta.url);

describe('vdoctl configure on a terminal', () => {
  let house: SimHouse;
  let bundle: Awaited<ReturnType<typeof bundleVdoctl>>;
  let terminal: ReturnType<typeof startOnTerminal> | undefined;
  beforeAll(async () => {
    [house, bundle] = await Promise.all([startSimHouse(), bundleVdoctl()]);
    const crd = parse(await readFile(crdFile, 'utf8')) as CustomResourceDefinition;
    await house.cluster.kube.create(customResourceDefinitions, crd);
  }, 120_000);
  afterEach(() => terminal?.stop());
  afterAll(async () => {
    await Promise.all([house.stop(), bundle.remove()]);
  });
  const open = (...argv: readonly string[]) => {
    terminal = startOnTerminal(
      bundle.program,
      ['configure', '--kubeconfig', house.cluster.kubeconfig, '--port', String(house.vcenter.port), ...argv],
      { VDO_SANDBOX_RECORD: '/nonexistent' },
    );
    return terminal;
  };
  const thumbprint = () => house.vcenter.flags.at(-1) ?? '';
  const logIn = async ({ answer, seen }: ReturnType<typeof open>) => {
    await answer('vCenter (host name or address): ', house.server);
    await seen(thumbprint());
    await answer('Is it the right one? [y/N]: ', 'y');
    await answer(`User of ${house.server}: `, administrator.username);
    await answer(`Password of ${administrator.username}: `, administrator.password);
  };

  it('stops at a certificate that is not the right one, and at Ctrl-C', async () => {
    const doubtful = open();
    await doubtful.answer('vCenter (host name or address): ', house.server);
    await doubtful.answer('Is it the right one? [y/N]: ', '');
    expect(await doubtful.ended).toBe(5);
    const left = open();
    await left.seen('vCenter (host name or address): ');
    left.press('\u0003');
    expect(await left.ended).toBe(130);
  }, 60_000);

  it('asks, shows what the vCenter has, checks, and applies', async () => {
    const wizard = open();
    const { answer, seen } = wizard;
    await logIn(wizard);
    await answer('Whose drivers?\r\n  1) Native', '1');
    await seen('1) /demo');
    await answer('Numbers, or Enter for all: ', '7');
    await answer('Please give numbers from 1 to 1', '1');
    await answer('names regions?', '2');
    await answer('names zones?', '3');
    await seen('policy vSAN Default Storage Policy');
    await seen('datastore vsanDatastore (vsan, ');
    await answer('Number: ', '2');
    await answer('File volumes (ReadWriteMany) on vSAN file services? [y/N]: ', 'n');
    await answer('internal addresses of the nodes?', '2');
    await seen('passed, 0 failed');
    await seen('kind: VSphereDrivers');
    await answer('1) apply it to', '1');
    await seen('Applied: Secret vmware-system-vdo/vcenter');
    expect(await wizard.ended).toBe(0);
    expect(wizard.shown()).not.toContain(administrator.password);

    const { spec } = await house.cluster.kube.get(vsphereDrivers, { name: 'cluster' });
    expect(spec).toMatchObject({
      distribution: 'Native',
      vcenters: [{ server: house.server, tls: { thumbprints: [thumbprint()] }, datacenters: ['/demo'] }],
      topology: { region: 'k8s-region', zone: 'k8s-zone' },
      cpi: { addresses: { internal: { network: 'Kubernetes' } } },
    });
    const secret = await house.cluster.kube.get(secrets, { namespace: houseNamespace, name: 'vcenter' });
    expect(Object.values(decodeSecretData(secret.data))).toEqual([administrator.username, administrator.password]);
  }, 60_000);

  it('asks for nothing that flags or the resource say, and saves', async () => {
    const file = join(house.folder, 'wizard.yaml');
    const wizard = open(
      ...['--from-file', house.file, '--user', administrator.username],
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
    await wizard.answer('2) save it to a file', '2');
    await wizard.answer('File [drivers.yaml]: ', file);
    expect(await wizard.ended).toBe(0);
    expect(parse(await readFile(file, 'utf8'))).toMatchObject({ spec: { topology: { zone: 'k8s-zone' } } });
    expect(wizard.shown() + (await readFile(file, 'utf8'))).not.toContain(administrator.password);
  }, 60_000);
});
