import type { CheckOutcome } from '@vdo/checks/check';
import type { ClusterFacts } from '@vdo/checks/facts';
import { valueIn } from '@vdo/checks/facts/reading';
import { storageNamespace } from '@vdo/checks/storage-namespace';
import { type PlannedCycle, planCycles } from './power-cycle.ts';

interface Common {
  readonly check: string;
  /** What is done, as shown before it is. */
  readonly what: string;
}

/** A remedy that is one call to the API server, interrupts no workload, and can be undone. */
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
  /** Nodes that are taken out of service for it, one after the other. */
  readonly cycles: readonly PlannedCycle[];
  /** What only a person can do, or decide. */
  readonly byHand: readonly CheckOutcome[];
}

type Plan = (outcome: CheckOutcome, facts: ClusterFacts) => Fix | undefined;

const trimSecret: Plan = ({ id, object }, { vcenters }) => {
  const { name, namespace = '' } = object;
  const ours = vcenters.filter(({ spec, secret }) => spec.credentialsSecret === name && secret.namespace === namespace);
  const keys = [...new Set(ours.flatMap(({ secret }) => secret.lookup?.trailingNewlineKeys ?? []))];
  if (keys.length === 0) return undefined;
  const what = `cut the line break off ${keys.join(' and ')} of Secret ${namespace}/${name}`;
  return { check: id, kind: 'trim-secret', namespace, name, keys, what };
};

const restoreClusterId: Plan = ({ id }, { kube }) => {
  const clusterId = valueIn(kube.clusterId);
  if (clusterId === undefined) return undefined;
  const what = `set spec.csi.clusterId back to ${clusterId}, under which the volumes are registered`;
  return { check: id, kind: 'restore-cluster-id', clusterId, what };
};

const restartNodeDriver: Plan = ({ id, object: { name } }, facts) => ({
  check: id,
  kind: 'restart-node-driver',
  namespace: storageNamespace(facts),
  node: name,
  what: `restart the storage driver's pod on node ${name}, so that it registers anew`,
});

/** By check and reason. A new thumbprint is not here on purpose: only a person can tell whose certificate it is. */
const plans: Readonly<Record<string, Plan>> = {
  'credentials/secret-keys TrailingLineBreak': trimSecret,
  'storage/cluster-id-unique ClusterIdChanged': restoreClusterId,
  'csi/node-registered NotRegistered': restartNodeDriver,
  'csi/topology-keys TopologyKeysMissing': restartNodeDriver,
};

const settingsOfVms = ['node/disk-enable-uuid', 'node/hardware-version'];

const needsAttention = ({ result }: CheckOutcome): boolean => result === 'Fail' || result === 'Warn';

/** Sorts what was found into what is done and what is left to people. */
export const planFixes = (
  outcomes: readonly CheckOutcome[],
  facts: ClusterFacts,
  options: {
    /** The resource is a file: there is nothing to edit in the cluster. */
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
