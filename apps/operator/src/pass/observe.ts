import { VdoError } from '@vdo/base/vdo-error';
import type { Node } from '@vdo/kube/types/core';
import type { DriverKind } from '@vdo/releases/matrix';
import { driverFrom, ofDriver } from '../decisions/drivers.ts';
import { decideNodes } from '../decisions/nodes.ts';
import type { DriverPlan } from '../decisions/upgrade/plan-drivers.ts';
import { observeComponents } from '../gather/observe-components.ts';
import { findPodProblem } from '../gather/pod-problems.ts';
import type { ComponentObservation, Observation } from '../observation.ts';
import { driverKinds } from './choose.ts';
import type { Call, PassDeps } from './deps.ts';

/** A rollout that exceeded its deadline while none of its pods reports why. */
const stuckRollout = (driver: DriverKind, unsettled: readonly ComponentObservation[]): VdoError | undefined => {
  const stuck = unsettled.find(({ overdue }) => overdue);
  return (
    stuck &&
    new VdoError({
      code: 'WorkloadsNotReady',
      message: `${driver.toUpperCase()}: the rollout of ${stuck.kind} ${stuck.namespace}/${stuck.name} makes no progress (${stuck.progress})`,
      remedy: `To see why: kubectl -n ${stuck.namespace} describe ${stuck.kind.toLowerCase()} ${stuck.name}`,
    })
  );
};

/** A workload that wants no pods: there is no rollout to wait for. */
const emptyWorkload = (driver: DriverKind, unsettled: readonly ComponentObservation[]): VdoError | undefined => {
  const found = unsettled.find(({ empty }) => empty);
  if (!found) return undefined;
  const { kind, namespace, name, progress } = found;
  const remedy =
    kind === 'DaemonSet'
      ? `Compare the labels of the nodes (kubectl get nodes --show-labels) with its selector: kubectl -n ${namespace} get daemonset ${name} -o jsonpath='{.spec.template.spec.nodeSelector}{.spec.template.spec.affinity}'`
      : `kubectl -n ${namespace} scale deployment ${name} --replicas=1`;
  return new VdoError({
    code: 'WorkloadsNotReady',
    message: `${driver.toUpperCase()}: ${kind} ${namespace}/${name} runs no pods: ${progress}`,
    remedy,
  });
};

/** The cluster is observed even if the pass failed: a running driver stays Available during an outage. */
export const observe = async (
  deps: PassDeps,
  wanted: Observation['wanted'],
  plan: DriverPlan,
  /** `known`: what was observed in this pass, if nothing has been written since. */
  { signal, known }: Call & { readonly known?: readonly ComponentObservation[] | undefined },
): Promise<Partial<Observation>> => {
  const { kube, namespace } = deps;
  const components = deps.rollouts.see(known ?? (await observeComponents(kube, { namespace, signal })));
  const nowMs = deps.clock.now();
  let byName: ReadonlyMap<string | undefined, Node> | undefined;
  // Pods are read only if some are not ready, and then perhaps one on each node.
  const node = (name: string) => {
    byName ??= new Map(deps.nodes().map((one) => [one.metadata.name, one]));
    return byName.get(name);
  };
  const view = async (driver: DriverKind) => {
    const unsettled = ofDriver(components, driver).filter(({ settled }) => !settled);
    const places = [...new Set(unsettled.map((component) => component.namespace))];
    const problems = await Promise.all(
      places.map((place) => findPodProblem(kube, driver, { namespace: place, nowMs, node, signal })),
    );
    const seen = problems.find((one) => one !== undefined);
    const problem = seen ?? emptyWorkload(driver, unsettled) ?? stuckRollout(driver, unsettled);
    const { history, available } = plan[driver] ?? {};
    const target = history?.target?.version;
    return driverFrom(components, {
      driver,
      ...(target === undefined ? {} : { target }),
      ...(available === undefined ? {} : { available }),
      ...(problem ? { problem } : {}),
    });
  };
  const drivers = await Promise.all(driverKinds.filter((driver) => wanted[driver]).map(view));
  return { drivers, nodes: decideNodes(deps.nodes(), nowMs) };
};
