import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../test/harness/cleanup.ts';
import { type ControlPlane, startControlPlane } from '../../../test/harness/control-plane.ts';
import { type LoggedProcess, spawnLogged } from '../../../test/harness/process.ts';
import { startVcsim, type Vcsim } from '../../../test/harness/vcsim.ts';
import { waitFor } from '../../../test/harness/wait-for.ts';

const bundle = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const vmOf = (index: number): string => `DC0_C0_RP0_VM${index}`;
const namespace = 'vmware-system-vdo';

let folder: TempFolder;
let controlPlane: ControlPlane;
let vcsim: Vcsim;
let cpi: LoggedProcess;

const json = async (...args: readonly string[]) => JSON.parse(await controlPlane.kubectl([...args, '-o', 'json']));
const apply = (object: unknown) => controlPlane.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(object) });
const secret = (password: string) =>
  apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'vsphere-credentials', namespace },
    stringData: {
      [`${vcsim.host}.username`]: vcsim.username,
      [`${vcsim.host}.password`]: password,
    },
  });
const setGuest = (index: number, ip: string) =>
  vcsim.govc(
    'vm.change',
    '-vm',
    vmOf(index),
    '-e',
    `SET.guest.ipAddress=${ip}`,
    '-e',
    `SET.guest.hostName=node-${index}`,
  );
const uuidOf = async (index: number): Promise<string> =>
  JSON.parse(await vcsim.govc('vm.info', '-json', vmOf(index))).virtualMachines[0].config.uuid;

const join = async (index: number, systemUUID: string) => {
  const name = `node-${index}`;
  const taints = [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }];
  await apply({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { taints } });
  const unknown = ['machineID', 'bootID', 'kernelVersion', 'osImage', 'containerRuntimeVersion', 'kubeletVersion'];
  const more = ['kubeProxyVersion', 'operatingSystem', 'architecture'];
  const nodeInfo = { ...Object.fromEntries([...unknown, ...more].map((key) => [key, ''])), systemUUID };
  const status = { nodeInfo, conditions: [{ type: 'Ready', status: 'True' }] };
  await controlPlane.kubectl([
    'patch',
    'node',
    name,
    '--subresource=status',
    '--type=merge',
    '-p',
    JSON.stringify({ status }),
  ]);
};
const eventually = <T>(what: string, attempt: () => Promise<T>, timeoutMs = 40_000) =>
  waitFor(attempt, { what, timeoutMs, everyMs: 200, processes: [cpi] });
const isInitialized = async (index: number): Promise<boolean> =>
  (await json('get', 'node', `node-${index}`)).spec.providerID !== undefined;
const reasonsOf = async (name: string): Promise<readonly string[]> =>
  (await json('get', 'events', '-A', '--field-selector', `involvedObject.name=${name}`)).items.map(
    ({ reason }: { reason: string }) => reason,
  );
const start = () => {
  const kubeconfig = controlPlane.kubeconfigPath;
  const args = [
    '--cloud-config',
    folder.file('vsphere.conf'),
    '--kubeconfig',
    kubeconfig,
    '--secure-port',
    '0',
    '--bind-address',
    '127.0.0.1',
  ];
  cpi = spawnLogged(process.execPath, [bundle, ...args], { name: 'cpi' });
};

beforeAll(async () => {
  folder = await createTempFolder('cpi');
  [controlPlane, vcsim] = await Promise.all([startControlPlane({ controllers: [] }), startVcsim({ vms: 4, hosts: 2 })]);
  const { govc } = vcsim;
  for (const [category, tag, object] of [
    ['k8s-region', 'region-a', '/DC0'],
    ['k8s-zone', 'zone-a', '/DC0/host/DC0_C0'],
  ] as const) {
    await govc('tags.category.create', category);
    await govc('tags.create', '-c', category, tag);
    await govc('tags.attach', '-c', category, tag, object);
  }
  for (const index of [0, 1, 2, 3]) await setGuest(index, `10.0.0.${index + 1}`);
  await controlPlane.kubectl(['create', 'namespace', namespace]);
  await secret(vcsim.password);
  await writeFile(
    folder.file('vsphere.conf'),
    `global:\n  port: ${vcsim.port}\n  secretName: vsphere-credentials\n  secretNamespace: ${namespace}\n` +
      `vcenter:\n  one:\n    server: ${vcsim.host}\n    thumbprint: "${vcsim.thumbprintSha256}"\n    datacenters: [DC0]\n` +
      'labels:\n  region: k8s-region\n  zone: k8s-zone\n',
  );
  start();
});
afterAll(async () => {
  await cpi?.stop();
  await Promise.all([controlPlane?.stop(), vcsim?.stop()]);
  await folder?.remove();
});

test('the command of the package shows its help', async () => {
  const command = fileURLToPath(new URL('../../../node_modules/.bin/vsphere-cpi', import.meta.url));
  const help = spawnLogged(command, ['--help'], { name: 'help' });
  expect(await help.exited).toBe(0);
  expect(help.tail()).toContain('Usage: vsphere-cpi [options]');
});

test('a wrong variable of the environment is a wrong configuration too, under its own name', async () => {
  const args = [bundle, '--cloud-config', folder.file('vsphere.conf')];
  const wrong = spawnLogged(process.execPath, args, { name: 'wrong', env: { VSPHERE_INSECURE: 'maybe' } });
  expect(await wrong.exited).toBe(1);
  expect(wrong.tail()).toContain('VSPHERE_INSECURE: "maybe" is neither true nor false');
});

test('a wrong configuration shows every problem with its remedy, and ends with 1', async () => {
  const path = folder.file('wrong.conf');
  await writeFile(path, 'vcenter:\n  one:\n    port: x\nnodes:\n  internalNetworkSubnetCidr: 10.0.0.0/99\n');
  const wrong = spawnLogged(process.execPath, [bundle, '--cloud-config', path], { name: 'wrong' });
  expect(await wrong.exited).toBe(1);
  for (const text of ['ConfigInvalid', 'vcenter.one.port', 'vcenter.one.server', '10.0.0.0/99', 'Line 3:'])
    expect(wrong.tail()).toContain(text);
});

/** A token whose owner may read metrics, and nothing else. */
const readerToken = async (): Promise<string> => {
  const name = 'metrics-reader';
  await controlPlane.kubectl(['create', 'serviceaccount', name, '--namespace', namespace]);
  await controlPlane.kubectl(['create', 'clusterrole', name, '--verb=get', '--non-resource-url=/metrics']);
  const account = `--serviceaccount=${namespace}:${name}`;
  await controlPlane.kubectl(['create', 'clusterrolebinding', name, `--clusterrole=${name}`, account]);
  return (await controlPlane.kubectl(['create', 'token', name, '--namespace', namespace])).trim();
};
let token = '';

/** What the program that runs now answers on its port for health and metrics. */
const get = (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const serving = cpi
    .tail()
    .split('\n')
    .findLast((line) => line.includes('serving metrics'));
  const { url } = JSON.parse(serving ?? '{}');
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { rejectUnauthorized: false, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve(`${response.statusCode} ${body}`));
    })
      .on('error', reject)
      .end();
  });
};

const metrics = (): Promise<string> => get('/metrics', { authorization: `Bearer ${token}` });

describe('the bundle on a real kube-apiserver and vcsim', () => {
  test('initialises a node', async () => {
    const uuid = await uuidOf(0);
    await join(0, uuid);
    await eventually('node-0 is initialized', () => isInitialized(0));
    const { metadata, spec } = await json('get', 'node', 'node-0');
    expect(spec).toMatchObject({ providerID: `vsphere://${uuid}` });
    expect(JSON.stringify(spec)).not.toContain('uninitialized');
    expect(metadata.labels).toMatchObject({
      'topology.kubernetes.io/zone': 'zone-a',
      'failure-domain.beta.kubernetes.io/zone': 'zone-a',
      'topology.kubernetes.io/region': 'region-a',
    });
    const addresses = await eventually(
      'its addresses',
      async () => (await json('get', 'node', 'node-0')).status.addresses,
    );
    expect(addresses).toEqual([
      { type: 'Hostname', address: 'node-0' },
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'ExternalIP', address: '10.0.0.1' },
    ]);
    await eventually('the event Synced', async () => (await reasonsOf('node-0')).includes('Synced'));
  });

  test('finds a VM whose UUID the firmware reports byte-swapped', async () => {
    const [a = '', b = '', c = '', ...rest] = (await uuidOf(1)).split('-');
    const swap = (group: string) => (group.match(/../g) ?? []).reverse().join('');
    await join(1, [swap(a), swap(b), swap(c), ...rest].join('-').toUpperCase());
    await eventually('node-1 is initialized', () => isInitialized(1));
    expect((await json('get', 'node', 'node-1')).spec.providerID).toBe(`vsphere://${await uuidOf(1)}`);
  });

  test('follows an address that changes', async () => {
    await setGuest(0, '10.0.0.99');
    await eventually('the new address', async () =>
      (await json('get', 'node', 'node-0')).status.addresses.some(
        ({ address }: { address: string }) => address === '10.0.0.99',
      ),
    );
  });

  test('says which VM it looked for in vain', async () => {
    await join(9, '42000000-0000-4000-8000-000000000009');
    await eventually('the event NodeVmNotFound', async () => (await reasonsOf('node-9')).includes('NodeVmNotFound'));
    await controlPlane.kubectl(['delete', 'node', 'node-9']);
  });

  test('serves health and metrics by HTTPS', async () => {
    expect(await get('/healthz')).toBe('200 ok');
    expect(await get('/readyz')).toBe('200 ok');
    expect(await get('/metrics')).toMatch(/^401 /);
    token = await readerToken();
    expect(await metrics()).toContain('node_controller_cloud_provider_taint_removal_delay_seconds_count 2');
  });

  test('goes on watching after its session was lost and a VM deleted meanwhile', async () => {
    await join(3, await uuidOf(3));
    await eventually('node-3 is initialized', () => isInitialized(3));
    cpi.kill('SIGSTOP');
    try {
      const { sessionList } = JSON.parse(await vcsim.govc('session.ls', '-json'));
      const ours = sessionList.filter(({ userAgent }: { userAgent: string }) => !userAgent.startsWith('govc'));
      expect(ours).toHaveLength(1);
      await vcsim.govc('session.rm', ours[0].key);
      await vcsim.govc('vm.destroy', vmOf(3));
    } finally {
      cpi.kill('SIGCONT');
    }
    await setGuest(0, '10.0.0.98');
    await eventually('the new address', async () =>
      (await json('get', 'node', 'node-0')).status.addresses.some(
        ({ address }: { address: string }) => address === '10.0.0.98',
      ),
    );
  });

  test('removes the node of the deleted VM when it is not ready, after a second look', async () => {
    await controlPlane.kubectl([
      'patch',
      'node',
      'node-3',
      '--subresource=status',
      '--type=merge',
      '-p',
      JSON.stringify({ status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }),
    ]);
    const started = performance.now();
    await eventually(
      'node-3 is gone',
      async () => {
        const names = (await controlPlane.kubectl(['get', 'nodes', '-o', 'name'])).split('\n');
        return !names.includes('node/node-3') && names.includes('node/node-0');
      },
      120_000,
    );
    expect(performance.now() - started).toBeGreaterThan(55_000);
  });

  const setReady = (index: number, status: 'True' | 'False' | 'Unknown') =>
    controlPlane.kubectl([
      ...['patch', 'node', `node-${index}`, '--subresource=status', '--type=merge', '-p'],
      JSON.stringify({ status: { conditions: [{ type: 'Ready', status }] } }),
    ]);
  const shutdown = async (index: number): Promise<boolean> =>
    JSON.stringify((await json('get', 'node', `node-${index}`)).spec.taints ?? []).includes(
      'cloudprovider.kubernetes.io/shutdown',
    );

  test('taints the node of a VM that is switched off, until the node is ready again', async () => {
    await vcsim.govc('vm.power', '-off', vmOf(1));
    await setReady(1, 'Unknown');
    await eventually('the shutdown taint', () => shutdown(1));
    await vcsim.govc('vm.power', '-on', vmOf(1));
    await setReady(1, 'True');
    await eventually('the taint to go', async () => !(await shutdown(1)));
  });

  test('gives the Lease back and logs out when it is told to stop', async () => {
    // The first line is a heading; one session is govc's own.
    const sessions = async () => (await vcsim.govc('session.ls')).trim().split('\n').length - 1;
    expect(await sessions()).toBe(2);
    cpi.kill('SIGTERM');
    expect(await cpi.exited).toBe(0);
    const lease = await json('get', 'lease', '-n', 'kube-system', 'cloud-controller-manager');
    expect(lease.spec.holderIdentity ?? '').toBe('');
    expect(await sessions()).toBe(1);
  });

  test('tries a wrong password once and takes the right one as soon as it is there', async () => {
    await secret('obviously-wrong');
    await join(2, await uuidOf(2));
    start();
    await eventually('the event', async () => (await reasonsOf('node-2')).includes('VCenterLoginRejected'));
    await eventually('the guard', async () => (await reasonsOf('node-2')).includes('VCenterLoginSuspended'));
    await secret(vcsim.password);
    await eventually('node-2 is initialized', () => isInitialized(2), 60_000);
    const rejected = (await reasonsOf('node-2')).filter((reason) => reason === 'VCenterLoginRejected');
    expect(rejected).toHaveLength(1);
  });

  test('keeps every node while vCenter is down', async () => {
    const there = await controlPlane.kubectl(['get', 'nodes', '-o', 'name']);
    vcsim.process.kill('SIGKILL');
    await vcsim.process.exited;
    const looks = async () => {
      const counted = (await metrics()).matchAll(/node_looks_total\{found="\w+"\} (\d+)/g);
      return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    // Each change makes it look; two looks that found a VM gone would be enough to delete its node.
    for (const status of ['Unknown', 'False'] as const) {
      const before = await looks();
      for (const index of [0, 1, 2]) await setReady(index, status);
      await eventually('a look at each of the three nodes', async () => (await looks()) >= before + 3);
    }
    expect(cpi.exitCode()).toBeUndefined();
    expect(await controlPlane.kubectl(['get', 'nodes', '-o', 'name'])).toBe(there);
  });
});
