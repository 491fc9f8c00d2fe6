import type { AnyObject } from '../types/object.ts';
import { groupOf } from './object-ref.ts';

/** By the rules of kstatus: whether the object has reached its spec. */
export interface Readiness {
  readonly state: 'Current' | 'InProgress' | 'Failed' | 'Terminating';
  /** Why the state is not Current; empty if it is. */
  readonly message: string;
}

interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}
type Fields = Readonly<Record<string, unknown>>;

const current: Readiness = { state: 'Current', message: '' };
const inProgress = (message: string): Readiness => ({ state: 'InProgress', message });
const failed = (message: string): Readiness => ({ state: 'Failed', message });

export const readinessOf = (object: AnyObject): Readiness => {
  if (object.metadata.deletionTimestamp) return { state: 'Terminating', message: 'is being deleted' };
  const status = fieldsOf(object['status']);
  const observed = status['observedGeneration'];
  const generation = object.metadata.generation ?? 0;
  if (typeof observed === 'number' && observed < generation)
    return inProgress(`generation ${generation} is not observed yet, only generation ${observed}`);
  const rule = rules[`${groupOf(object.apiVersion)}/${object.kind}`] ?? byConditions;
  return rule({ spec: fieldsOf(object['spec']), status, conditions: conditionsOf(status), generation });
};

interface Facts {
  readonly spec: Fields;
  readonly status: Fields;
  readonly conditions: readonly StatusCondition[];
  readonly generation: number;
}

const byConditions = ({ conditions }: Facts): Readiness => {
  const stalled = trueCondition(conditions, 'Stalled');
  if (stalled) return failed(textOf(stalled));
  const reconciling = trueCondition(conditions, 'Reconciling');
  if (reconciling) return inProgress(textOf(reconciling));
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready && ready.status !== 'True' ? inProgress(textOf(ready)) : current;
};

const deployment = ({ spec, status, conditions, generation }: Facts): Readiness => {
  if (status['observedGeneration'] === undefined && generation > 0) return inProgress('is not observed yet');
  const progressing = conditions.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') return failed(textOf(progressing));
  const wanted = numberOf(spec['replicas'], 1);
  const [total, updated, ready, available] = counts(status, [
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
  ]);
  return firstShort([
    [updated, wanted, 'are updated'],
    [updated, total, 'are of the new version'],
    [available, updated, 'are available'],
    [ready, wanted, 'are ready'],
  ]);
};

const daemonSet = ({ status, spec, generation }: Facts): Readiness => {
  if (status['observedGeneration'] === undefined && generation > 0) return inProgress('is not observed yet');
  const wanted = numberOf(status['desiredNumberScheduled']);
  const [scheduled, updated, available, ready] = counts(status, [
    'currentNumberScheduled',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberReady',
  ]);
  const onDelete = fieldsOf(spec['updateStrategy'])['type'] === 'OnDelete';
  return firstShort([
    [scheduled, wanted, 'are scheduled'],
    [onDelete ? wanted : updated, wanted, 'are updated'],
    [available, wanted, 'are available'],
    [ready, wanted, 'are ready'],
  ]);
};

const statefulSet = ({ spec, status, generation }: Facts): Readiness => {
  if (status['observedGeneration'] === undefined && generation > 0) return inProgress('is not observed yet');
  const strategy = fieldsOf(spec['updateStrategy']);
  if (strategy['type'] === 'OnDelete') return current;
  const wanted = numberOf(spec['replicas'], 1);
  const [total, ready, updated] = counts(status, ['replicas', 'readyReplicas', 'updatedReplicas']);
  const partition = numberOf(fieldsOf(strategy['rollingUpdate'])['partition']);
  return firstShort([
    [total, wanted, 'exist'],
    [ready, wanted, 'are ready'],
    [updated, Math.max(0, wanted - partition), 'are updated'],
  ]);
};

const job = ({ conditions, status }: Facts): Readiness => {
  const failure = trueCondition(conditions, 'Failed');
  if (failure) return failed(textOf(failure));
  if (trueCondition(conditions, 'Complete')) return current;
  return status['startTime'] === undefined ? inProgress('has not started') : current;
};

const pod = ({ status, conditions }: Facts): Readiness => {
  const phase = status['phase'];
  if (phase === 'Succeeded') return current;
  if (phase === 'Failed') return failed(String(status['message'] ?? 'has failed'));
  return trueCondition(conditions, 'Ready') ? current : inProgress(`is ${phase ?? 'Pending'} and not ready`);
};

const definition = ({ conditions }: Facts): Readiness => {
  const names = conditions.find(({ type }) => type === 'NamesAccepted');
  if (names?.status === 'False') return failed(textOf(names));
  return trueCondition(conditions, 'Established') ? current : inProgress('is not established yet');
};

const claim = ({ status }: Facts): Readiness =>
  status['phase'] === 'Bound' ? current : inProgress(`is ${status['phase'] ?? 'Pending'}, not Bound`);

const namespace = ({ status }: Facts): Readiness =>
  status['phase'] === undefined || status['phase'] === 'Active' ? current : inProgress(`is ${status['phase']}`);

const rules: Readonly<Record<string, (facts: Facts) => Readiness>> = {
  'apps/Deployment': deployment,
  'apps/DaemonSet': daemonSet,
  'apps/StatefulSet': statefulSet,
  'batch/Job': job,
  '/Pod': pod,
  '/PersistentVolumeClaim': claim,
  '/Namespace': namespace,
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
};

const firstShort = (checks: readonly (readonly [have: number, want: number, what: string])[]): Readiness => {
  const short = checks.find(([have, want]) => have < want);
  return short ? inProgress(`${short[0]} of ${short[1]} ${short[2]}`) : current;
};

const counts = (status: Fields, names: readonly string[]): readonly [number, number, number, number] => {
  const [a = 0, b = 0, c = 0, d = 0] = names.map((name) => numberOf(status[name]));
  return [a, b, c, d];
};

const numberOf = (value: unknown, fallback = 0): number => (typeof value === 'number' ? value : fallback);
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const conditionsOf = (status: Fields): readonly StatusCondition[] =>
  Array.isArray(status['conditions']) ? (status['conditions'] as readonly StatusCondition[]) : [];
const trueCondition = (conditions: readonly StatusCondition[], type: string): StatusCondition | undefined =>
  conditions.find((condition) => condition.type === type && condition.status === 'True');
const textOf = ({ type, reason, message }: StatusCondition): string => message || reason || type;
