import type { CheckOutcome } from '@vdo/checks/check';
import type { ClusterFacts } from '@vdo/checks/facts';
import { valueIn } from '@vdo/checks/facts/reading';
import { storageNamespace } from '@vdo/checks/storage-namespace';
import { type PlannedCycle, planCycles } from './power-cycle.ts';

interface Common {
  readonly check: string;
  /** What the fix does, shown before it is applied. */
  readonly what: string;
}

/** A fix that is one call to the API server, interrupts no workload, and can be undone. */
export type Fix = Common &
  (
    | {
        readonly kind: 'trim-secret';
        readonly namespace: string;
        readonly name: string;
        readonly keys: readonly string[];
      }
    | { readonly kind: 'restore-cluster-id'; readonly clusterId: string }
    | { readonly kind: 'restart-node-driver'; readonly namespace: string; readonly node: string }
  );

export interface FixPlan {
  readonly fixes: readonly Fix[];
  /** Nodes that are taken out of service for this fix, one at a time. */
  readonly cycles: readonly PlannedCycle[];
  /** What the user has to do or decide. */
  readonly byHand: readonly CheckOutcome[];
}

type Plan = (outcome: CheckOutcome, facts: ClusterFacts) => Fix | undefined;

const trimSecret: Plan = ({ id, object }, { vcenters }) => {
  const { name, namespace = '' } = object;
  const ours = vcenters.filter(({ spec, secret }) => spec.credentialsSecret === name && secret.namespace === namespace);
  const keys = [...new Set(ours.flatMap(({ secret }) => secret.lookup?.trailingNewlineKeys ?? []))];
  if (keys.length === 0) return undefined;
  const what = `remove the line break at the end of ${keys.join(' and ')} in Secret ${namespace}/${name}`;
  return { check: id, kind: 'trim-secret', namespace, name, keys, what };
};

const restoreClusterId: Plan = ({ id }, { kube }) => {
  const clusterId = valueIn(kube.clusterId);
  if (clusterId === undefined) return undefined;
  const what = `set spec.csi.clusterId back to ${clusterId}, the cluster ID of the registered volumes`;
  return { check: id, kind: 'restore-cluster-id', clusterId, what };
};

const restartNodeDriver: Plan = ({ id, object: { name } }, facts) => ({
  check: id,
  kind: 'restart-node-driver',
  namespace: storageNamespace(facts),
  node: name,
  what: `restart the pod of the storage driver on node ${name}, so that it registers again`,
});

/** By check and reason. A new thumbprint is left out on purpose: only the administrator can verify a certificate. */
const plans: Readonly<Record<string, Plan>> = {
  'credentials/secret-keys TrailingLineBreak': trimSecret,
  'storage/cluster-id-unique ClusterIdChanged': restoreClusterId,
  'csi/node-registered NotRegistered': restartNodeDriver,
  'csi/topology-keys TopologyKeysMissing': restartNodeDriver,
};

const settingsOfVms = ['node/disk-enable-uuid', 'node/hardware-version'];

const needsAttention = ({ result }: CheckOutcome): boolean => result === 'Fail' || result === 'Warn';

/** Splits the findings into automatic fixes and manual work. */
export const planFixes = (
  outcomes: readonly CheckOutcome[],
  facts: ClusterFacts,
  options: {
    /** The resource is a file, so nothing in the cluster can be edited. */
    readonly fromFile: boolean;
    readonly powerCycle: boolean;
  },
): FixPlan => {
  const fixes = new Map<string, Fix>();
  const byHand: CheckOutcome[] = [];
  const cycles = options.powerCycle ? planCycles(facts) : [];
  const isCycled = ({ id, object }: CheckOutcome): boolean =>
    settingsOfVms.includes(id) && cycles.some(({ node }) => node === object.name);
  for (const outcome of outcomes.filter(needsAttention)) {
    if (isCycled(outcome)) continue;
    const fix = plans[`${outcome.id} ${outcome.reason}`]?.(outcome, facts);
    if (!fix || (options.fromFile && fix.kind === 'restore-cluster-id')) byHand.push(outcome);
    else fixes.set(fix.what, fix);
  }
  return { fixes: [...fixes.values()], cycles, byHand };
};
