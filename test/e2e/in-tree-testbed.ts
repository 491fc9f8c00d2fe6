import { writeFile } from 'node:fs/promises';
import { names } from '@vdo/config/names';
import {
  configMaps,
  type PersistentVolume,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { csiNodes } from '@vdo/kube/types/storage';
import { standardControllers } from '@vdo/sandbox/control-plane/program-args';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { createTempFolder } from '../harness/cleanup.ts';
import { startLifecycleTestbed } from './lifecycle-testbed.ts';
import type { ZoneVCenter } from './lifecycle-vcenters.ts';

const program = 'kube-controller-manager';
const disk = { path: 'kubevols/kubernetes-dynamic-pvc-1.vmdk', capacityMb: 320 } as const;
const kubeadm = { namespace: names.systemNamespace, name: 'kubeadm-config' };
const volume = { name: 'pvc-1' };
const data = { name: 'data', namespace: 'default' };
const external = ['--cloud-provider=external'];

/** `vsphere.conf`, as `--cloud-config` names it. */
const confOf = ({ spec, secret }: ZoneVCenter): string => `[Global]
user = "${secret.username}"
password = "${secret.password}"
port = "${String(spec['port'])}"
datacenters = "dc-a"
insecure-flag = "1"

[VirtualCenter "${String(spec['server'])}"]

[Workspace]
server = "${String(spec['server'])}"
datacenter = "dc-a"
default-datastore = "vsan-a"
folder = "kubernetes"

[Disk]
scsicontrollertype = pvscsi
`;

const settingsOf = (provider: readonly string[]): string =>
  `controllerManager:\n  extraArgs:\n${provider.map((flag) => `    ${flag.slice(2).replace('=', ': ')}\n`).join('')}`;

/** Kubernetes 1.29 with its own vSphere provider, one node, and a volume as the provider of Kubernetes up to 1.25 made it. */
export const startInTreeTestbed = async () => {
  const folder = await createTempFolder('in-tree');
  const conf = folder.file('vsphere.conf');
  const inTree = [
    '--cloud-provider=vsphere',
    `--cloud-config=${conf}`,
    '--feature-gates=DisableCloudProviders=false,DisableKubeletCloudCredentialProviders=false',
  ];
  const testbed = await startLifecycleTestbed({
    operator: 'none',
    controlPlane: async (vcenter) => {
      await writeFile(conf, confOf(vcenter));
      const controllers = [...standardControllers, 'cloud-node-lifecycle-controller'];
      return { inTree: true, controllers, controllerManagerArgs: inTree };
    },
  });
  const { kube, a } = testbed;
  a.sim.control.addDisk('/dc-a/datastore/vsan-a', disk);
  await testbed.joinNode(a, true);

  /** The mirror of the static pod, as the kubelet makes it of the file that somebody has edited. */
  const mirror = async (flags: readonly string[]): Promise<void> => {
    const key = { namespace: names.systemNamespace, name: `${program}-${a.node.name}` };
    if (await kube.find(pods, key)) await kube.delete(pods, key, { gracePeriodSeconds: 0 });
    await testbed.until('the mirror of before to go', async () => !(await kube.find(pods, key)));
    await kube.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...key, labels: { component: program } },
      spec: {
        nodeName: a.node.name,
        containers: [{ name: program, image: `registry.k8s.io/${program}:v1.29.15`, command: [program, ...flags] }],
      },
    });
  };
  await mirror(inTree);
  await kube.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: kubeadm,
    data: { ClusterConfiguration: settingsOf(inTree.slice(0, 2)) },
  });
  const shared = { accessModes: ['ReadWriteOnce'], storageClassName: '' } as const;
  await kube.create(persistentVolumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      ...volume,
      annotations: {
        'kubernetes.io/createdby': 'vsphere-volume-dynamic-provisioner',
        'pv.kubernetes.io/provisioned-by': names.inTreeProvisioner,
        'pv.kubernetes.io/bound-by-controller': 'yes',
      },
      finalizers: ['kubernetes.io/pv-protection'],
    },
    spec: {
      ...shared,
      capacity: { storage: '320Mi' },
      claimRef: data,
      persistentVolumeReclaimPolicy: 'Retain',
      vsphereVolume: { volumePath: `[vsan-a] ${disk.path}`, fsType: 'xfs' },
    },
  } as unknown as PersistentVolume);
  await testbed.apply({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: data,
    spec: { ...shared, volumeName: volume.name, resources: { requests: { storage: '320Mi' } } },
  } as AnyObject);
  await testbed.until(
    'the claim',
    async () => (await kube.get(persistentVolumeClaims, data)).status?.phase === 'Bound',
  );

  return {
    ...testbed,
    conf,
    vdoctl: (...argv: readonly string[]) => runVdoctl([...argv, '--kubeconfig', testbed.kubeconfigPath]),
    /** What somebody does on the node of the control plane. */
    editControllerManager: async (to: 'vsphere' | 'external'): Promise<void> => {
      const flags = to === 'vsphere' ? inTree : external;
      await testbed.restartControllers(flags);
      await mirror(flags);
    },
    /** What the kubelet of 1.29 notes at its start: it gives volumes of the provider to the driver. */
    noteMigration: async (): Promise<void> => {
      const annotations = { 'storage.alpha.kubernetes.io/migrated-plugins': names.inTreeProvisioner };
      await kube.patch(csiNodes, { name: a.node.name }, { type: 'merge', body: { metadata: { annotations } } });
    },
    kubeadmSettings: async () => (await kube.get(configMaps, kubeadm)).data?.['ClusterConfiguration'],
    /** Where the volume is, which never changes. */
    volume: async () => (await kube.get(persistentVolumes, volume)).spec,
    stop: async (): Promise<void> => {
      await testbed.stop();
      await folder.remove();
    },
  };
};

export type InTreeTestbed = Awaited<ReturnType<typeof startInTreeTestbed>>;
