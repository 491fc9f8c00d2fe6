import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { names } from '@vdo/config/names';
import { type Node, namespaces, nodes, type Pod, persistentVolumes, pods } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandError, run } from '../harness/run.ts';
import { vdoImageArchive } from '../harness/vdo-image.ts';
import { claim, named, pod } from './kubelet-objects.ts';
import { nodeName, nodeUuid, type RealNode, startRealNode, vcenterAddress } from './real-node.ts';
import { vdoctlProgram } from './sandbox-process.ts';

const registry = 'vdo.test';
const password = 'obviously-fake-csi';
const system = names.namespace;

let node: RealNode;

const vdoctl = async (...args: readonly string[]): Promise<{ code: number; text: string }> => {
  const all = [vdoctlProgram, ...args, '--kubeconfig', node.plane.kubeconfigPath];
  return run(process.execPath, all, { timeoutMs: 150_000 }).then(
    (text) => ({ code: 0, text }),
    (error: unknown) => {
      if (error instanceof CommandError) return { code: error.exitCode, text: `${error.stdout}${error.stderr}` };
      throw error;
    },
  );
};
const conditionOf = (found: Node | Pod | undefined, type: string) =>
  found?.status?.conditions?.find((one) => one.type === type);
const isReady = (found: Pod | undefined): boolean => conditionOf(found, 'Ready')?.status === 'True';
const systemPods = async (): Promise<readonly Pod[]> => (await node.kube.list(pods, { namespace: system })).items;
const podOf = async (app: string): Promise<Pod | undefined> =>
  (await systemPods()).find(({ metadata }) => metadata.name?.startsWith(`${app}-`) && !metadata.deletionTimestamp);
const inside = async (name: string, script: string): Promise<string> =>
  (await node.plane.kubectl(['exec', name, '--', 'sh', '-c', script])).trim();
const health = async (): Promise<string> => JSON.parse((await vdoctl('status', '-o', 'json')).text).health;
const isGone = async (kinds: string): Promise<string> =>
  node.plane.kubectl(['get', kinds, '--all-namespaces', '-l', 'app.kubernetes.io/part-of=vdo', '-o', 'name']);

// What users do, with what users get: the image, the manifests, the rights, the probes. Needs root, containerd and runc.
describe('operator and drivers as pods of a real node', () => {
  beforeAll(async () => {
    // The images of a release, as `npm run image` makes them.
    const images = vdoImageArchive(registry);
    images.catch(() => undefined);
    node = await startRealNode();
    await node.containerd.load(await images);
  }, 600_000);
  afterAll(async () => {
    await node?.stop();
  });

  it('the operator starts on a node that has no network and waits for its cloud provider', async () => {
    const { code, text } = await vdoctl('install', '--registry', registry, '--yes');
    expect({ code, text }).toEqual({ code: 0, text: '' });
    expect(isReady(await podOf(names.operator))).toBe(true);
    const found = await node.kube.get(nodes, { name: nodeName });
    expect(conditionOf(found, 'Ready')?.status).toBe('False');
    expect(found.spec.taints?.map(({ key }) => key)).toContain('node.cloudprovider.kubernetes.io/uninitialized');
  });

  it('the node gets its id from the cloud controller manager before there is a network', async () => {
    await node.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'vcenter', namespace: system },
      stringData: { username: 'csi@vsphere.local', password },
    } as KubeObject);
    await node.apply({
      apiVersion: 'vdo.vmware.com/v1beta1',
      kind: 'VSphereDrivers',
      metadata: { name: 'cluster' },
      spec: {
        distribution: 'Native',
        vcenters: [{ server: vcenterAddress, credentialsSecret: 'vcenter', tls: { thumbprints: [node.thumbprint] } }],
        cpi: {},
        csi: { storageClasses: [{ name: 'vsphere', default: true }] },
        images: { registry },
        advanced: {
          kubeletPath: node.kubeletRoot,
          // The node is no VM: its disks are loop devices, and its serial number is in a file.
          csiNode: { extraArgs: [`--sysfs-root=${node.sysfsRoot}`, `--dev-root=${node.devRoot}`] },
        },
      },
    } as KubeObject);
    const found = await node.until('the node to be known', async () => {
      const one = await node.kube.get(nodes, { name: nodeName });
      return one.spec.providerID === undefined ? undefined : one;
    });
    expect(found.spec.providerID).toBe(`vsphere://${nodeUuid}`);
    expect(conditionOf(found, 'Ready')?.status).toBe('False');
    const { code, text } = await vdoctl('status');
    expect(code).toBe(3);
    expect(text).toMatch(/^Progressing /);
    expect(text).toMatch(/Fail +cluster\/cni-ready +Node node-1/);
  });

  it('with a network everything is healthy', async () => {
    await node.containerd.plugNetwork();
    // A check that failed is looked at again within a minute.
    await node.until('health', async () => (await health()) === 'Healthy', 180_000);
    expect((await vdoctl('status')).code).toBe(0);
  });

  it('a pod writes to its volume', async () => {
    await node.apply(claim('data', { storageClassName: 'vsphere' }));
    await node.apply(pod('writer', { claimName: 'data' }));
    await node.until('the pod to run', async () => isReady(await node.kube.find(pods, named('writer'))));
    expect(await inside('writer', 'grep " /data " /proc/mounts')).toContain(' ext4 ');
    await inside('writer', 'echo hello > /data/greeting');
  });

  it('no container was restarted, and only the pods of nodes run as root', async () => {
    const running = await systemPods();
    expect(running.map(({ metadata }) => metadata.name?.split('-').slice(0, 3).join('-')).sort()).toEqual([
      expect.stringMatching(/^vdo-operator/),
      names.cpi.split('-').slice(0, 3).join('-'),
      names.csiController,
      names.csiNode,
    ]);
    for (const { metadata, status } of running)
      for (const { restartCount } of status?.containerStatuses ?? [])
        expect(`${metadata.name} restarted ${restartCount} times`).toBe(`${metadata.name} restarted 0 times`);
    const userOf = async (app: string): Promise<string> => {
      const name = (await podOf(app))?.metadata.name ?? '';
      const script = 'process.stdout.write(String(process.getuid()))';
      return node.plane.kubectl(['exec', '-n', system, name, '--', 'node', '-e', script]);
    };
    expect(await Promise.all([names.operator, names.cpi, names.csiController, names.csiNode].map(userOf))).toEqual([
      ...['65532', '65532', '65532', '0'],
    ]);
  });

  it('what is deleted comes back while the pod goes on writing', async () => {
    const before = (await podOf(names.csiNode))?.metadata.uid;
    await node.plane.kubectl(['delete', 'daemonset', '-n', system, names.csiNode]);
    await node.plane.kubectl(['delete', 'pod', '-n', system, (await podOf(names.operator))?.metadata.name ?? '']);
    await node.until('the node pods to be back', async () => {
      const found = await podOf(names.csiNode);
      return isReady(found) && found?.metadata.uid !== before && (await health()) === 'Healthy';
    });
    await inside('writer', 'echo again > /data/greeting');
    expect(await inside('writer', 'cat /data/greeting')).toBe('again');
  });

  it('a support bundle holds the logs of all pods, and no password', async () => {
    const folder = node.folder.file('bundle');
    expect((await vdoctl('support-bundle', '--out', folder)).code).toBe(0);
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
    expect(texts.filter((text) => text.includes('serving health')).length).toBeGreaterThanOrEqual(4);
    expect(texts.filter((text) => text.includes(password))).toEqual([]);
  });

  it('nothing is removed while a volume is there, and all of it afterwards', async () => {
    const refused = await vdoctl('uninstall', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.text).toContain('VolumesInUse');
    expect(await inside('writer', 'cat /data/greeting')).toBe('again');
    await node.plane.kubectl(['delete', 'pod', 'writer']);
    await node.plane.kubectl(['delete', 'pvc', 'data']);
    await node.until('the volume to go', async () => (await node.kube.list(persistentVolumes)).items.length === 0);
    expect(node.sim.volumes.list()).toEqual([]);

    expect(await vdoctl('uninstall', '--yes')).toEqual({ code: 0, text: '' });
    expect(await node.kube.find(namespaces, { name: system })).toBeUndefined();
    expect(await isGone('clusterroles,clusterrolebindings,roles,rolebindings,csidrivers,storageclasses')).toBe('');
    expect((await vdoctl('status')).text).toContain('Absent');
    expect((await node.kube.get(nodes, { name: nodeName })).spec.providerID).toBe(`vsphere://${nodeUuid}`);
  });
});
