import { type Check, type CheckObject, fail, pass, skipped, type Verdict, warn } from '../check.ts';
import type { WorkloadFacts } from '../facts/kube-facts.ts';
import type { PodFacts } from '../facts/pod-facts.ts';
import { valueIn } from '../facts/reading.ts';
import type { ClusterFacts } from '../facts.ts';
import { driversObject, notRead } from '../not-read.ts';

const objectOf = ({ kind, name, namespace }: WorkloadFacts): CheckObject => ({ kind, name, namespace });

const startMs = 5 * 60_000;

/** Reasons of warnings about pods that become ready, or fail, within minutes. */
export const underWay: ReadonlySet<string> = new Set(['Starting', 'RollingOut']);

const podsOf = ({ name, namespace }: WorkloadFacts, pods: readonly PodFacts[]): readonly PodFacts[] =>
  pods.filter((pod) => pod.namespace === namespace && pod.name.startsWith(`${name}-`));

/** The command that shows what is wrong with the pods of a workload. */
const logOrEvents = ({ kind, name, namespace }: WorkloadFacts, pods: readonly PodFacts[]) => {
  for (const pod of pods)
    for (const { reason, container } of pod.waiting)
      if (reason === 'CrashLoopBackOff')
        return {
          remedy: `The log of ${container} before it ended shows why:`,
          commands: [`kubectl -n ${namespace} logs ${pod.name} -c ${container} --previous`],
        };
  const [first] = pods;
  const object = first ? `pod ${first.name}` : `${kind.toLowerCase()} ${name}`;
  return { remedy: 'Its events show what is missing:', commands: [`kubectl -n ${namespace} describe ${object}`] };
};

/** Whether all pods that are not ready are new and without errors. */
const isStarting = (pods: readonly PodFacts[], nowMs: number): boolean => {
  const isNew = ({ createdMs }: PodFacts): boolean => nowMs - createdMs < startMs;
  const hasFailed = ({ waiting }: PodFacts): boolean =>
    waiting.some(({ reason }) => /BackOff|^Err|Error|Invalid/.test(reason));
  return pods.length > 0 && pods.every((pod) => isNew(pod) && !hasFailed(pod));
};

/** The first node of these pods that is not Ready: the node is the cause, not the pod. */
const silentNode = (pods: readonly PodFacts[], { nodes }: ClusterFacts): string | undefined => {
  const silent = new Set(
    nodes
      .filter(({ node }) => node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status !== 'True'))
      .map(({ node }) => node.metadata.name),
  );
  return pods.find(({ nodeName }) => nodeName !== undefined && silent.has(nodeName))?.nodeName;
};

const judgeReady = (workload: WorkloadFacts, all: readonly PodFacts[], cluster: ClusterFacts): Verdict => {
  const { nowMs } = cluster;
  const object = objectOf(workload);
  const { desired, ready, rollingOut } = workload;
  const counted = `${ready} of ${desired} pods are ready`;
  if (ready >= desired) return pass(object, counted);
  const pods = podsOf(workload, all);
  const node = silentNode(pods, cluster);
  if (node !== undefined)
    return fail(object, {
      reason: 'NodeNotReady',
      message: `${counted}; node ${node} is not Ready`,
      remedy:
        'Check that its VM runs, and that its kubelet runs and reaches the API server. The conditions of the node show why:',
      commands: [`kubectl describe node ${node}`],
    });
  const hint = logOrEvents(workload, pods);
  // While a release rolls out or a node joins, pods are created and deleted.
  if (isStarting(pods, nowMs))
    return warn(object, { reason: 'Starting', message: `${counted}; the others are starting`, ...hint });
  if (rollingOut && ready > 0) return warn(object, { reason: 'RollingOut', message: counted, ...hint });
  return fail(object, { reason: 'WorkloadsNotReady', message: counted, ...hint });
};

const isAsked = ({ spec }: ClusterFacts, { driver }: WorkloadFacts): boolean =>
  driver === 'CPI' ? spec.cpi !== undefined : spec.csi !== undefined;

const judgeForeign = (workload: WorkloadFacts, all: readonly WorkloadFacts[]): Verdict => {
  const object = objectOf(workload);
  const { kind, name, namespace, manager, driver } = workload;
  const both = all.some((other) => other.ours && other.driver === driver);
  const message = `${kind} ${namespace}/${name} is a ${driver} driver that ${manager} manages${both ? ', in addition to the driver of this operator: both act on the same objects' : ''}`;
  if (manager === 'OpenShift')
    return warn(object, {
      reason: 'PlatformManaged',
      message,
      remedy: `OpenShift manages it: remove spec.${driver.toLowerCase()} from the VSphereDrivers resource, or set managementState: Removed in its ClusterCSIDriver.`,
    });
  const when = both ? 'Remove it' : 'Once the operator has taken over, remove it';
  const remove =
    manager === 'Helm'
      ? {
          remedy: `${when} (helm -n ${namespace} uninstall RELEASE; its volumes stay). To list the releases:`,
          commands: [`helm -n ${namespace} list`],
        }
      : {
          remedy: `${when}; its volumes stay:`,
          commands: [`kubectl -n ${namespace} delete ${kind.toLowerCase()} ${name}`],
        };
  return (both ? fail : warn)(object, { reason: 'ForeignManager', message, ...remove });
};

const perWorkload =
  (judge: (workloads: readonly WorkloadFacts[], cluster: ClusterFacts) => readonly Verdict[]): Check['judge'] =>
  (cluster) => {
    const workloads = valueIn(cluster.kube.workloads);
    return workloads
      ? judge(workloads, cluster)
      : [notRead(driversObject, cluster.kube.workloads, 'Deployments and DaemonSets', 'the log of the operator')];
  };

export const workloadChecks: readonly Check[] = [
  {
    id: 'csi/workloads-ready',
    title: 'All pods of the drivers are ready.',
    meaning:
      'Without the controller pods no volume is created, attached or expanded, and no node is initialized; without the node pod no volume is mounted on the node.',
    remedy:
      '`kubectl -n vmware-system-vdo get pods`, then `describe` and `logs --previous` for the pod that is not ready.',
    action: 'BlockUpgradeOrDegrade',
    judge: perWorkload((workloads, cluster) => {
      const own = workloads.filter(({ ours }) => ours);
      const pods = valueIn(cluster.kube.unreadyPods) ?? [];
      return own.length === 0
        ? [skipped(driversObject, 'no driver is installed yet')]
        : own.map((workload) => judgeReady(workload, pods, cluster));
    }),
  },
  {
    id: 'csi/foreign-manager',
    title: 'No other tool manages a vSphere driver in this cluster.',
    meaning: 'Two drivers act on the same nodes and volumes, and overwrite the changes of the other.',
    remedy: 'Remove the other driver (Helm chart, manifests, platform operator); volumes and nodes stay unchanged.',
    action: 'BlockUpgrade',
    judge: perWorkload((workloads, cluster) => {
      const foreign = workloads.filter((workload) => !workload.ours && isAsked(cluster, workload));
      return foreign.length === 0
        ? [pass(driversObject, 'there is no other driver')]
        : foreign.map((workload) => judgeForeign(workload, workloads));
    }),
  },
];
