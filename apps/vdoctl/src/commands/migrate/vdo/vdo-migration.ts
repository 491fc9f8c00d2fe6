import { names } from '@vdo/config/names';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { deployments } from '@vdo/kube/types/workloads';
import { wantedAccounts } from '../engine/merge-vcenters.ts';
import type { Migration, Source } from '../engine/migration.ts';
import { upstreamOperatorStep } from '../engine/operator-steps.ts';
import type { MigrationRecord } from '../engine/record.ts';
import type { Scene } from '../engine/scene.ts';
import { readV1alpha1Facts } from './v1alpha1-facts.ts';
import { specOfV1alpha1, v1alpha1Accounts } from './v1alpha1-spec.ts';

export interface VdoOptions {
  readonly distribution: 'Native' | 'Upstream';
  readonly secretName: string;
  readonly vdoConfig?: string | undefined;
}

const kinds = ['vdoconfigs', 'vspherecloudconfigs', 'compatibilityconfigs'].map((kind) => `${kind}.vdo.vmware.com`);

const finish = async ({ kube, signal }: Scene, { before }: MigrationRecord): Promise<void> => {
  const { formerOperator } = before;
  if (formerOperator)
    await kube.delete(
      deployments,
      { namespace: formerOperator.namespace, name: names.upstreamOperator },
      { signal, propagation: 'Background' },
    );
  for (const name of kinds) await kube.delete(customResourceDefinitions, { name }, { signal });
};

/** Migration from upstream VDO: its operator is stopped, its drivers are taken over in place. */
export const createVdoMigration = (options: VdoOptions): Migration => ({
  kind: 'vdo',
  source: 'the VDOConfig',
  pointOfNoReturn: `the operator of upstream VDO and its kinds (${kinds.join(', ')}) are removed, and the backup for undo is deleted`,
  finish,
  read: async ({ kube, signal }, record): Promise<Source> => {
    const facts = await readV1alpha1Facts(kube, signal);
    const { spec: found, notes } = specOfV1alpha1(facts, options);
    const spec = record?.spec ?? found;
    return {
      spec,
      accounts: wantedAccounts(spec, v1alpha1Accounts(facts, options.vdoConfig), 'upstream VDO'),
      extra: [],
      notes,
      blockers: [],
      failed: [],
      warnings: [],
      volumes: [],
      first: (scene, cluster, before) => [[upstreamOperatorStep(scene, cluster, before?.formerOperator ?? null)]],
      last: () => [],
      before: { helm: [], kubeadm: null, programs: [] },
    };
  },
});
