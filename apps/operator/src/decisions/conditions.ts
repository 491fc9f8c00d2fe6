import type { VdoError } from '@vdo/base/vdo-error';
import type { ConditionType } from '@vdo/config/api/vsphere-drivers-status';
import type { DriverObservation, Observation, VCenterObservation } from '../observation.ts';

/** A condition before times are put on it. */
export interface DecidedCondition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

type Verdict = Omit<DecidedCondition, 'type'>;

const yes = (reason: string, message: string): Verdict => ({ status: 'True', reason, message });
const no = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });
const unknown = (reason: string, message: string): Verdict => ({ status: 'Unknown', reason, message });
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
const explain = (error: VdoError): string => `${sentence(error.message)} ${error.remedy}`;
const failed = (error: VdoError): Verdict => no(error.code, explain(error));

const vcenterReachable = ({ vcenters, failure }: Observation): Verdict => {
  const errors = vcenters.flatMap(({ reachError }) => reachError ?? []);
  const [first] = errors;
  if (first) return no(first.code, errors.map(explain).join(' '));
  if (vcenters.length === 0) return unknown(failure?.code ?? 'NotChecked', 'No vCenter has been contacted yet.');
  return yes(
    'Reachable',
    vcenters.map(({ server, about }) => `${server} answers (${about?.version ?? 'unknown version'})`).join(', '),
  );
};

const credentialsValid = ({ vcenters, failure }: Observation): Verdict => {
  const errors = vcenters.flatMap(({ loginError }) => loginError ?? []);
  const [first] = errors;
  if (first) return no(first.code, errors.map(explain).join(' '));
  const untried = vcenters.filter(({ reachError }) => reachError).map(({ server }) => server);
  if (untried.length > 0) return unknown('VCenterUnreachable', `Not checked: ${untried.join(', ')} cannot be reached.`);
  if (vcenters.length === 0) return unknown(failure?.code ?? 'NotChecked', 'No login has been tried yet.');
  return yes('LoginSucceeded', 'Every vCenter accepted the login.');
};

const nodesInitialized = ({ nodes, wanted }: Observation): Verdict => {
  if (!wanted.cpi) return unknown('NotManaged', 'spec.cpi is absent: another cloud provider initialises the nodes.');
  if (!nodes) return unknown('NotChecked', 'Nodes have not been read yet.');
  const [first] = nodes.failing;
  if (first)
    return no(
      first.reason,
      `${nodes.initialized} of ${nodes.total} nodes are initialised. ${first.name}: ${sentence(first.message)} ${first.remedy}`,
    );
  if (nodes.initialized < nodes.total)
    return no('Initializing', `${nodes.initialized} of ${nodes.total} nodes are initialised.`);
  return yes('AllInitialized', `${nodes.total} of ${nodes.total} nodes are initialised.`);
};

const isReady = ({ controllers, nodes }: DriverObservation): boolean =>
  controllers !== undefined &&
  controllers.ready >= Math.max(1, controllers.desired) &&
  (nodes === undefined || nodes.ready >= nodes.desired);
const isAvailable = ({ controllers }: DriverObservation): boolean => controllers !== undefined && controllers.ready > 0;
const podsOf = ({ kind, controllers, nodes }: DriverObservation): string =>
  `${kind}: ${controllers ? `${controllers.ready}/${controllers.desired} controller pods ready` : 'not installed'}${nodes ? `, ${nodes.ready}/${nodes.desired} node pods ready` : ''}`;

const wantedDrivers = ({ drivers, wanted }: Observation): readonly DriverObservation[] =>
  drivers.filter(({ kind }) => (kind === 'CPI' ? wanted.cpi : wanted.csi));

const podsRemedy = 'See kubectl -n vmware-system-vdo get pods.';

const storageReady = (observation: Observation): Verdict => {
  if (!observation.wanted.csi) return unknown('NotManaged', 'spec.csi is absent: storage is not managed.');
  const csi = observation.drivers.find(({ kind }) => kind === 'CSI');
  if (!csi?.version) return no(observation.failure?.code ?? 'NotInstalled', 'The CSI driver is not installed.');
  return isReady(csi) ? yes('DriverReady', podsOf(csi)) : no('WorkloadsNotReady', `${podsOf(csi)}. ${podsRemedy}`);
};

const available = (observation: Observation): Verdict => {
  const drivers = wantedDrivers(observation);
  const missing = drivers.filter((driver) => !isAvailable(driver));
  if (drivers.length === 0)
    return unknown(observation.failure?.code ?? 'NotChecked', 'The drivers have not been looked at yet.');
  if (missing.length === 0) return yes('DriversRunning', drivers.map(podsOf).join('; '));
  return no(
    observation.failure?.code ?? 'WorkloadsNotReady',
    `${missing.map(podsOf).join('; ')}. ${observation.failure?.remedy ?? podsRemedy}`,
  );
};

const progressing = (observation: Observation): Verdict => {
  const moving = wantedDrivers(observation).filter(
    (driver) => driver.rollingOut || (driver.version !== undefined && !isReady(driver)),
  );
  if (observation.failure) return no(observation.failure.code, 'Nothing is being changed: see Degraded.');
  if (moving.length > 0) return yes('RollingOut', moving.map(podsOf).join('; '));
  return no('UpToDate', 'The drivers run as specified.');
};

const degraded = ({ failure, vcenters }: Observation): Verdict => {
  const error = failure ?? firstError(vcenters);
  return error ? yes(error.code, explain(error)) : no('AsExpected', 'No problem is known.');
};

const firstError = (vcenters: readonly VCenterObservation[]): VdoError | undefined =>
  vcenters.flatMap(({ reachError, loginError }) => reachError ?? loginError ?? [])[0];

const stalled = ({ failure }: Observation): Verdict =>
  failure && failure.retry !== 'backoff'
    ? yes(failure.code, explain(failure))
    : no('AsExpected', 'Nothing waits for a person.');

const upgradeable = ({ failure, vcenters }: Observation): Verdict => {
  const error = failure ?? firstError(vcenters);
  return error
    ? no(error.code, `Solve this before an upgrade: ${explain(error)}`)
    : yes('AsExpected', 'Nothing stands against an upgrade.');
};

const ready = (observation: Observation): Verdict => {
  if (observation.failure) return failed(observation.failure);
  const drivers = wantedDrivers(observation);
  const waiting = drivers.filter((driver) => driver.rollingOut || !isReady(driver));
  if (drivers.length === 0 || waiting.length > 0)
    return no('RollingOut', waiting.map(podsOf).join('; ') || 'The drivers have not been looked at yet.');
  const nodes = nodesInitialized(observation);
  if (nodes.status === 'False') return nodes;
  return yes('AllReady', drivers.map(({ kind, version }) => `${kind} ${version ?? ''}`.trim()).join(', '));
};

const verdicts: Readonly<Record<ConditionType, (observation: Observation) => Verdict>> = {
  Ready: ready,
  Available: available,
  Progressing: progressing,
  Degraded: degraded,
  Upgradeable: upgradeable,
  Stalled: stalled,
  VCenterReachable: vcenterReachable,
  CredentialsValid: credentialsValid,
  PrivilegesSufficient: () => unknown('NotChecked', 'This version of the operator does not check vSphere privileges.'),
  NodesInitialized: nodesInitialized,
  StorageReady: storageReady,
};

/** All conditions, always, in a fixed order: what users see of one reconcile. */
export const decideConditions = (observation: Observation): readonly DecidedCondition[] =>
  Object.entries(verdicts).map(([type, verdict]) => ({ type: type as ConditionType, ...verdict(observation) }));
