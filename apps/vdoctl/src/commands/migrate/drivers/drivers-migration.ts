import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps, persistentVolumes, secrets } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { wantedAccounts } from '../engine/merge-vcenters.ts';
import type { Migration, Source } from '../engine/migration.ts';
import type { MigrationRecord } from '../engine/record.ts';
import type { Scene } from '../engine/scene.ts';
import { type DriverWorkload, readDriverWorkloads } from './driver-workloads.ts';
import { readDriversFacts } from './drivers-facts.ts';
import { specOfDrivers } from './drivers-spec.ts';
import { managerSteps, retireSteps } from './retire-steps.ts';

export interface DriversOptions {
  readonly distribution: 'Native' | 'Upstream';
  readonly secretName: string;
  readonly caBundle?: string;
}

const featureStates = { namespace: names.upstreamCsiNamespace, name: 'internal-feature-states.csi.vsphere.vmware.com' };

/** How the driver is used, as shown by the objects of the cluster. */
const readUse = async (kube: KubeClient, signal: AbortSignal) => {
  const states = await kube.find(configMaps, featureStates, { signal });
  let hasShares = false;
  for await (const { items } of kube.pages(persistentVolumes, { signal }))
    hasShares ||= items.some(
      ({ spec }) => spec.csi?.driver === names.csiDriver && spec.csi.volumeHandle?.startsWith('file:') === true,
    );
  return { inTree: states?.data?.['csi-migration'] === 'true', hasShares };
};

const helmOf = (workloads: readonly DriverWorkload[]): MigrationRecord['before']['helm'] => [
  ...new Map(workloads.flatMap(({ helm }) => (helm ? [[`${helm.namespace}/${helm.name}`, { ...helm }]] : []))).values(),
];

/** Deletes the Helm release records, keeps the objects, and deletes drivers that were stopped for the migration. */
const finish = async ({ kube, signal }: Scene, { before }: MigrationRecord): Promise<void> => {
  for (const { namespace, name } of before.helm) {
    const { items } = await kube.list(secrets, { namespace, labelSelector: `owner=helm,name=${name}`, signal });
    for (const { metadata } of items) await kube.delete(secrets, { namespace, name: metadata.name ?? '' }, { signal });
  }
  const retired = (await readDriverWorkloads(kube, signal)).filter(({ isUsual }) => !isUsual);
  for (const { kind, namespace, name } of retired)
    if (kind === 'Deployment') await kube.delete(deployments, { namespace, name }, { signal });
    else await kube.delete(daemonSets, { namespace, name }, { signal });
};

/** Migration from drivers installed with manifests, Helm or another tool. */
export const createDriversMigration = (options: DriversOptions): Migration => ({
  kind: 'drivers',
  source: 'the settings of the drivers',
  pointOfNoReturn: 'the Helm release records, the stopped drivers and the backup of the previous objects are deleted',
  finish,
  read: async ({ kube, signal }, record): Promise<Source> => {
    // After the takeover the old settings are gone from the cluster; they are in the record and in the Secrets.
    const facts = await readDriversFacts(kube, signal);
    const { spec, notes } = record
      ? { spec: record.spec, notes: [] }
      : specOfDrivers(facts, { ...options, ...(await readUse(kube, signal)) });
    const { workloads, cpi, csi } = facts;
    const accounts = { cpi: cpi?.accounts ?? new Map(), csi: csi?.accounts ?? new Map() };
    return {
      spec,
      notes,
      accounts: wantedAccounts(spec, accounts, 'the settings of the drivers'),
      extra: workloads
        .filter(({ isUsual }) => !isUsual)
        .map(({ kind, namespace, name }) => ({ apiVersion: 'apps/v1', kind, namespace, name })),
      blockers: [],
      failed: [],
      warnings: [...(cpi?.warnings ?? []), ...(csi?.warnings ?? [])],
      volumes: [],
      first: (scene) => [managerSteps(workloads), retireSteps(scene, workloads)],
      last: () => [],
      before: { helm: helmOf(workloads), kubeadm: null, programs: [] },
    };
  },
});
