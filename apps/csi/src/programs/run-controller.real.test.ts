import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder } from '../../../../test/harness/cleanup.ts';
import { type ControlPlane, startControlPlane } from '../../../../test/harness/control-plane.ts';
import { type LoggedProcess, spawnLogged } from '../../../../test/harness/process.ts';
import { startVcsim, type Vcsim } from '../../../../test/harness/vcsim.ts';
import { waitFor } from '../../../../test/harness/wait-for.ts';

const bundle = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const crds = fileURLToPath(new URL('../../../../deploy/crds', import.meta.url));
const namespace = 'vmware-system-vdo';
const nodes = { 'node-1': 'DC0_C0_RP0_VM0', 'node-2': 'DC0_C0_RP0_VM1' };

let plane: ControlPlane;
let vcsim: Vcsim;
let folder: Awaited<ReturnType<typeof createTempFolder>>;
let driver: LoggedProcess;

const kubectl = (...args: readonly string[]) => plane.kubectl(args);
const apply = (object: unknown) =>
  plane.kubectl(['apply', '--server-side', '-f', '-'], { stdin: JSON.stringify(object) });
const json = async (...args: readonly string[]) => JSON.parse(await kubectl(...args, '-o', 'json'));
const eventually = <T>(what: string, attempt: () => Promise<T>) =>
  waitFor(attempt, { what, timeoutMs: 60_000, everyMs: 250, processes: [driver] });

const startDriver = (...args: readonly string[]): LoggedProcess =>
  spawnLogged(
    process.execPath,
    [
      ...[bundle, 'controller', '--kubeconfig', plane.kubeconfigPath, '--leader-election-namespace', namespace],
      ...['--namespace', namespace],
      ...['--vsphere-conf', folder.file('vsphere.conf'), '--health-port', '0', '--bind-address', '127.0.0.1'],
      ...['--csi-endpoint', `unix://${folder.file('csi.sock')}`, '--cluster-id', 'real-cluster', ...args],
    ],
    { name: 'csi' },
  );

const writeConfig = () =>
  writeFile(
    folder.file('vsphere.conf'),
    `vcenter:
  vc:
    server: ${vcsim.host}
    port: ${vcsim.port}
    thumbprint: "${vcsim.thumbprintSha256}"
    secretName: vsphere-credentials
    secretNamespace: ${namespace}
`,
  );

const registerNodes = () =>
  Promise.all(
    Object.entries(nodes).map(async ([name, vm]) => {
      const [{ config }] = JSON.parse(await vcsim.govc('vm.info', '-json', vm)).virtualMachines;
      await apply({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name },
        spec: { providerID: `vsphere://${config.uuid}` },
      });
    }),
  );

const storageClass = (name: string, parameters: Record<string, string> = {}) =>
  apply({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'csi.vsphere.vmware.com',
    parameters,
  });
const claim = (name: string, storageClassName: string) =>
  apply({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '2Gi' } } },
  });
const bound = (name: string) =>
  eventually(`claim ${name} to be bound`, async () => {
    const found = await json('get', 'pvc', name);
    return found.status?.phase === 'Bound' ? found : undefined;
  });
const volumeIds = async (): Promise<string[]> =>
  (await vcsim.govc('volume.ls'))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(/\s+/)[0] ?? '');

describe('the controller on a real API server and vcsim', () => {
  beforeAll(async () => {
    folder = await createTempFolder('csi');
    [plane, vcsim] = await Promise.all([startControlPlane(), startVcsim({ vms: 2, hosts: 2, datastores: 2 })]);
    await kubectl('apply', '--server-side', '-f', crds);
    await kubectl('create', 'namespace', namespace);
    await apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'vsphere-credentials', namespace },
      stringData: { [`${vcsim.host}.username`]: vcsim.username, [`${vcsim.host}.password`]: vcsim.password },
    });
    await writeConfig();
    await registerNodes();
    driver = startDriver();
  });
  afterAll(async () => {
    await driver?.stop();
    await Promise.all([plane?.stop(), vcsim?.stop()]);
    await folder?.remove();
  });

  it('turns a claim into a volume and a bound PersistentVolume', async () => {
    await storageClass('vsphere');
    await claim('data', 'vsphere');
    const { spec, metadata } = await bound('data');
    expect(spec.volumeName).toBe(`pvc-${metadata.uid}`);
    const volume = await json('get', 'pv', spec.volumeName);
    expect(volume.metadata.finalizers).toEqual(
      expect.arrayContaining(['kubernetes.io/pv-protection', 'external-provisioner.volume.kubernetes.io/finalizer']),
    );
    expect(volume.spec).toMatchObject({
      capacity: { storage: '2Gi' },
      csi: { driver: 'csi.vsphere.vmware.com', fsType: 'ext4' },
    });
    expect(await volumeIds()).toEqual([volume.spec.csi.volumeHandle]);
    await eventually('the intent to go', async () => (await json('get', 'volumeintents', '-A')).items.length === 0);
    const lease = await json('-n', namespace, 'get', 'lease', 'csi-vsphere-vmware-com');
    expect(lease.spec.holderIdentity).not.toBe('');
  });

  it('tells the claim what is wrong with its class, and serves it when the class is corrected', async () => {
    await storageClass('broken', { datastoreurl: 'ds:///vmfs/volumes/nowhere/' });
    await claim('wrong', 'broken');
    await eventually('an event with the reason and the remedy', async () => {
      const { items } = await json('get', 'events', '--field-selector', 'involvedObject.name=wrong');
      return items.some(
        ({ reason, message, type }: Record<string, string>) =>
          type === 'Warning' &&
          reason === 'ProvisioningFailed' &&
          /nowhere.*shared datastores are/.test(message ?? '') &&
          message?.includes('[VolumeNoDatastore]'),
      );
    });
    await kubectl('delete', 'storageclass', 'broken');
    await storageClass('broken');
    await bound('wrong');
    expect(await volumeIds()).toHaveLength(2);
  });

  it('provisions twenty claims at once, one disk each', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `many-${index}`);
    await Promise.all(names.map((name) => claim(name, 'vsphere')));
    const claims = await Promise.all(names.map(bound));
    expect(new Set(claims.map(({ spec }) => spec.volumeName)).size).toBe(20);
    expect(await volumeIds()).toHaveLength(22);
  });

  it('finds its volumes again after being killed', async () => {
    driver.kill('SIGKILL');
    await driver.exited;
    await claim('after-crash', 'vsphere');
    driver = startDriver();
    await bound('after-crash');
    expect(await volumeIds()).toHaveLength(23);
  });

  it('deletes the disks with the claims, then the objects', async () => {
    await kubectl('delete', 'pvc', '--all', '--wait=false');
    await eventually('the volumes to go', async () => {
      const { items } = await json('get', 'pv');
      return items.length === 0 && (await volumeIds()).length === 0;
    });
  });

  it('logs out when it is stopped, and gives the Lease back', async () => {
    await driver.stop();
    const lease = await json('-n', namespace, 'get', 'lease', 'csi-vsphere-vmware-com');
    expect(lease.spec.holderIdentity ?? '').toBe('');
    const { sessionList } = JSON.parse(await vcsim.govc('session.ls', '-json'));
    const left = sessionList.filter(({ userAgent }: { userAgent: string }) => !userAgent.startsWith('govc'));
    // The killed process could not log out.
    expect(left).toHaveLength(1);
  });
});
