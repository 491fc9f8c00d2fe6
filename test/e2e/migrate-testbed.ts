import { names } from '@vdo/config/names';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { releasesOf, renderWorld } from '@vdo/releases/testing/rendered-worlds';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { withoutMarks } from '../stories/migrate/migration-testbed.ts';
import { type LifecycleOptions, type LifecycleTestbed, startLifecycleTestbed } from './lifecycle-testbed.ts';

const controller = { namespace: names.upstreamCsiNamespace, name: names.csiController };
const agents = { namespace: names.upstreamCsiNamespace, name: names.csiNode };

/** The Go drivers as their manifests bring them, a release back, with the settings of this vCenter. */
const manifests = ({ a }: LifecycleTestbed, clusterId: string): readonly AnyObject[] => {
  const cpi = releasesOf('cpi', 'Upstream')[0];
  const csi = releasesOf('csi', 'Upstream').find(({ version }) => version === '3.5.0');
  if (!cpi || !csi) throw new Error('the embedded matrix has no such releases');
  const { username, password } = a.secret;
  const spec = { vcenters: [a.spec], csi: { clusterId }, images: {} } as Parameters<typeof renderWorld>[1];
  const accounts = [{ server: String(a.spec['server']), username, password }];
  return renderWorld('Upstream', spec, { releases: { cpi, csi }, accounts }).map(withoutMarks);
};

const volume: PersistentVolume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv-1' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: names.csiDriver, volumeHandle: 'handle-of-pv-1' },
  },
};

export interface Health {
  readonly code: number;
  readonly word: string;
}

/**
 * A real API server with one node, Go drivers that somebody else has installed, and a volume of theirs; nothing of the operator. What
 * stands in for the images of the Go drivers answers their probes and does nothing else.
 */
export const startMigrateTestbed = async (options: LifecycleOptions & { readonly clusterId: string }) => {
  const testbed = await startLifecycleTestbed({ ...options, operator: 'none' });
  const vdoctl = (...argv: readonly string[]) => runVdoctl([...argv, '--kubeconfig', testbed.kubeconfigPath]);
  const serve = () =>
    testbed.until('the drivers that were there before', async () => {
      const { status } = await testbed.kube.get(deployments, controller);
      return (status?.readyReplicas ?? 0) > 0;
    });
  await testbed.joinNode(testbed.a, true);
  for (const object of manifests(testbed, options.clusterId)) await testbed.apply(object);
  await testbed.kube.create(persistentVolumes, volume);
  await serve();
  return {
    ...testbed,
    vdoctl,
    /** Until the storage controller runs. */
    serve,
    /** What people want of the drivers, and not what controllers note on them. */
    wanted: async () => {
      const workloads = [
        await testbed.kube.get(deployments, controller),
        await testbed.kube.get(daemonSets, agents),
        await testbed.kube.get(daemonSets, { namespace: names.systemNamespace, name: names.cpi }),
      ];
      return workloads.map(({ kind, metadata: { name, labels }, spec }) => ({ kind, name, labels, spec }));
    },
    health: async (): Promise<Health> => {
      const { exitCode, out } = await vdoctl('status', '-o', 'json');
      return { code: exitCode, word: JSON.parse(out).health };
    },
    distributions: async () =>
      ((await testbed.drivers())?.status?.drivers ?? [])
        .filter(({ kind }) => kind !== 'CNI')
        .map(({ distribution }) => distribution),
    /** The volume is as it was, and nobody has asked for its end. */
    keepsVolume: async (): Promise<boolean> => {
      const { metadata, spec } = await testbed.kube.get(persistentVolumes, { name: 'pv-1' });
      return metadata.deletionTimestamp === undefined && spec.csi?.volumeHandle === volume.spec.csi?.volumeHandle;
    },
  };
};

export type MigrateTestbed = Awaited<ReturnType<typeof startMigrateTestbed>>;
