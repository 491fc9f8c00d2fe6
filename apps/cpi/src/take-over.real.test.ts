import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { leaseNames, names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import { leases } from '@vdo/kube/types/cluster';
import { type Node, nodes, secrets } from '@vdo/kube/types/core';
import { smallRuntime } from '@vdo/releases/render/shared/node-runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../test/harness/cleanup.ts';
import { type ControlPlane, startControlPlane } from '../../../test/harness/control-plane.ts';
import { partPath } from '../../../test/harness/parts.ts';
import { type LoggedProcess, spawnLogged } from '../../../test/harness/process.ts';
import { startVcsim, type Vcsim } from '../../../test/harness/vcsim.ts';
import { waitFor } from '../../../test/harness/wait-for.ts';

// The Go program here is Kubernetes' own framework, on which every Go cloud controller manager stands: its flags, its Lease
// and its node controllers. Only its cloud is a file.
const bundle = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const all = [0, 1, 2, 3];
const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';
const addressOf = (index: number): string => `10.0.0.${index + 1}`;
// Both take the same flags; shorter times than the defaults spare the test a minute.
const election = ['--leader-elect=true', '--leader-elect-lease-duration=6s', '--leader-elect-renew-deadline=4s'];
const common = [...election, '--leader-elect-retry-period=1s', '--cloud-provider=vsphere', '--secure-port=0'];

let folder: TempFolder;
let plane: ControlPlane;
let vcsim: Vcsim;
let kube: KubeClient;
let uuids: readonly string[];
const running: LoggedProcess[] = [];

const startGo = (): LoggedProcess => {
  const { kubeconfigPath } = plane;
  const access = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
  const args = [
    ...[...common, '--bind-address=127.0.0.1', `--cloud-config=${folder.file('machines.json')}`],
    ...access.map((flag) => `--${flag}=${kubeconfigPath}`),
    '--controllers=cloud-node-controller,cloud-node-lifecycle-controller',
  ];
  const program = spawnLogged(partPath('go-ccm'), args, { name: 'go-ccm' });
  running.push(program);
  return program;
};
const startOurs = (): LoggedProcess => {
  const args = [...common, '--bind-address=127.0.0.1', `--cloud-config=${folder.file('vsphere.conf')}`];
  const program = spawnLogged(
    process.execPath,
    [...smallRuntime.flags, bundle, ...args, `--kubeconfig=${plane.kubeconfigPath}`],
    { name: 'vsphere-cpi', env: smallRuntime.env },
  );
  running.push(program);
  return program;
};

const join = async (index: number): Promise<void> => {
  const name = `node-${index}`;
  const taints = [{ key: uninitialized, value: 'true', effect: 'NoSchedule' }] as const;
  await kube.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { taints } });
  const texts = 'machineID bootID kernelVersion osImage containerRuntimeVersion kubeletVersion kubeProxyVersion';
  const nodeInfo = Object.fromEntries(`${texts} operatingSystem architecture`.split(' ').map((key) => [key, '']));
  const conditions = [{ type: 'Ready', status: 'True' }];
  const body = { status: { nodeInfo: { ...nodeInfo, systemUUID: uuids[index] }, conditions } };
  await kube.patch(nodes, { name }, { type: 'merge', body }, { subresource: 'status' });
};
const initialized = (index: number): Promise<Node> =>
  waitFor(
    async () => {
      const node = await kube.get(nodes, { name: `node-${index}` });
      const waits = node.spec.taints?.some(({ key }) => key === uninitialized);
      return !waits && (node.status?.addresses?.length ?? 0) > 1 ? node : undefined;
    },
    { what: `node-${index} to be initialized`, timeoutMs: 90_000, everyMs: 200, processes: running },
  );
const holder = async (): Promise<string> =>
  (await kube.get(leases, { namespace: names.systemNamespace, name: leaseNames.cpi })).spec?.holderIdentity ?? '';
const ownSessions = async (): Promise<number> =>
  JSON.parse(await vcsim.govc('session.ls', '-json')).sessionList.filter(
    ({ userAgent }: { userAgent: string }) => !userAgent.startsWith('govc'),
  ).length;
const end = async (program: LoggedProcess): Promise<void> => {
  running.splice(running.indexOf(program), 1);
  await program.stop();
};
/** What both programs write, and nothing that only one of them does. */
const essence = ({ metadata, spec, status }: Node) => ({
  labels: Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => !key.includes('instance-type'))),
  providerID: spec.providerID,
  taints: spec.taints ?? [],
  addresses: status?.addresses,
});

beforeAll(async () => {
  folder = await createTempFolder('take-over');
  [plane, vcsim] = await Promise.all([
    startControlPlane({ controllers: [], audit: true }),
    startVcsim({ vms: all.length, hosts: 1 }),
  ]);
  kube = await connectKube({ kubeconfigPath: plane.kubeconfigPath, env: {}, clock: createSystemClock(), qps: 0 });
  const { govc } = vcsim;
  for (const [category, tag, object] of [
    ['k8s-region', 'region-a', '/DC0'],
    ['k8s-zone', 'zone-a', '/DC0/host/DC0_C0'],
  ] as const) {
    await govc('tags.category.create', category);
    await govc('tags.create', '-c', category, tag);
    await govc('tags.attach', '-c', category, tag, object);
  }
  const found: string[] = [];
  for (const index of all) {
    const vm = `DC0_C0_RP0_VM${index}`;
    const guest = [`SET.guest.ipAddress=${addressOf(index)}`, `SET.guest.hostName=node-${index}`];
    await govc('vm.change', '-vm', vm, ...guest.flatMap((setting) => ['-e', setting]));
    found.push(JSON.parse(await govc('vm.info', '-json', vm)).virtualMachines[0].config.uuid);
  }
  uuids = found;
  const machines = all.map((index) => {
    const place = { zone: 'zone-a', region: 'region-a' };
    return [`node-${index}`, { uuid: uuids[index], address: addressOf(index), ...place }] as const;
  });
  await writeFile(folder.file('machines.json'), JSON.stringify({ machines: Object.fromEntries(machines) }));
  const metadata = { name: names.credentialsSecret, namespace: 'kube-system' };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const data = {
    [`${vcsim.host}.username`]: base64(vcsim.username),
    [`${vcsim.host}.password`]: base64(vcsim.password),
  };
  await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  await writeFile(
    folder.file('vsphere.conf'),
    `[Global]\nport = "${vcsim.port}"\nthumbprint = "${vcsim.thumbprintSha256}"\nsecret-name = "${metadata.name}"\n` +
      `secret-namespace = "${metadata.namespace}"\n[VirtualCenter "${vcsim.host}"]\ndatacenters = "DC0"\n` +
      '[Labels]\nregion = "k8s-region"\nzone = "k8s-zone"\n',
  );
});
afterAll(async () => {
  for (const program of [...running]) await end(program);
  await kube?.close();
  await Promise.all([plane?.stop(), vcsim?.stop()]);
  await folder?.remove();
});

test('takes over from a running Go program and back, and never do both act', { timeout: 400_000 }, async () => {
  const go = startGo();
  await join(0);
  const byGo = await initialized(0);
  const goHolder = await holder();

  const ours = startOurs();
  await waitFor(() => /the Lease/.test(ours.tail()) || undefined, { what: 'ours to ask for the Lease' });
  await join(1);
  await initialized(1);
  expect([await holder(), await ownSessions()]).toEqual([goHolder, 0]);

  await end(go);
  await join(2);
  const byOurs = await initialized(2);
  expect(await holder()).not.toBe(goHolder);
  expect(byOurs.spec.providerID).toBe(`vsphere://${uuids[2]}`);
  expect(essence(byOurs).labels).toEqual(essence(byGo).labels);
  expect(essence(await kube.get(nodes, { name: 'node-0' }))).toEqual(essence(byGo));

  const goAgain = startGo();
  await end(ours);
  await join(3);
  await initialized(3);
  expect(await ownSessions()).toBe(0);
  for (const before of [byGo, byOurs])
    expect(essence(await kube.get(nodes, { name: before.metadata.name ?? '' }))).toEqual(essence(before));
  await end(goAgain);

  const writers = (await plane.auditEvents())
    .filter(({ verb, objectRef }) => objectRef?.resource === 'nodes' && ['patch', 'update', 'delete'].includes(verb))
    .map(({ userAgent = '' }) => /^(vsphere-cpi|go-ccm)\//.exec(userAgent)?.[1])
    .filter((writer) => writer !== undefined);
  expect(writers.filter((writer, index) => writer !== writers[index - 1])).toEqual(['go-ccm', 'vsphere-cpi', 'go-ccm']);
  expect((await kube.list(nodes)).items).toHaveLength(all.length);
});
