import type { VdoError } from '@vdo/base/vdo-error';
import { type CheckOutcome, remedyLine } from '@vdo/checks/check';
import type { ConditionType } from '@vdo/config/api/vsphere-drivers-status';
import { names } from '@vdo/config/names';
import type { DriverObservation, Observation, VCenterObservation } from '../observation.ts';
import { imagesPending } from './image-proof.ts';

/** A condition without its timestamps. */
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
  if (vcenters.length === 0) return unknown(failure?.code ?? 'NotChecked', 'No login has been attempted yet.');
  return yes('LoginSucceeded', 'All vCenters accepted the login.');
};

const nodesInitialized = ({ nodes, wanted, platform, checks }: Observation): Verdict => {
  if (!wanted.cpi) return unknown('NotManaged', 'spec.cpi is not set: another cloud provider initializes the nodes.');
  if (!nodes) return unknown('NotChecked', 'Nodes have not been read yet.');
  const [failing] = nodes.failing;
  // A check that has read the VM knows more than the Node object shows.
  const looked = checks?.nodes.find(({ object }) => failing && object.kind === 'Node' && object.name === failing.name);
  const first = failing && { ...failing, ...(looked && pickNote(looked)) };
  if (first)
    return no(
      first.reason,
      `${nodes.initialized} of ${nodes.total} nodes are initialized. ${first.name}: ${sentence(first.message)} ${first.remedy}`,
    );
  if (nodes.initialized < nodes.total)
    return no('Initializing', `${nodes.initialized} of ${nodes.total} nodes are initialized.`);
  if (platform?.managed.cpi)
    return yes('PlatformManaged', `${nodes.total} nodes are initialized by ${platform.managed.cpi}.`);
  return yes('AllInitialized', `${nodes.total} of ${nodes.total} nodes are initialized.`);
};

const isReady = ({ controllers, nodes }: DriverObservation): boolean =>
  controllers !== undefined &&
  controllers.ready >= Math.max(1, controllers.desired) &&
  (nodes === undefined || nodes.ready >= Math.max(1, nodes.desired));
const isAvailable = ({ controllers }: DriverObservation): boolean => controllers !== undefined && controllers.ready > 0;
const podsOf = ({ kind, controllers, nodes }: DriverObservation): string =>
  `${kind}: ${controllers ? `${controllers.ready}/${controllers.desired} controller pods ready` : 'not installed'}${nodes ? `, ${nodes.ready}/${nodes.desired} node pods ready` : ''}`;

/** The drivers that VDO runs: those in the spec that the platform does not manage. */
const wantedDrivers = ({ drivers, wanted, platform }: Observation): readonly DriverObservation[] =>
  drivers.filter(({ kind }) =>
    kind === 'CPI' ? wanted.cpi && !platform?.managed.cpi : wanted.csi && !platform?.managed.csi,
  );

/** What shows that the platform manages every driver in the spec; undefined if one is left to VDO. */
const platformManaged = ({ wanted, platform }: Observation): string | undefined => {
  const left = (wanted.cpi && !platform?.managed.cpi) || (wanted.csi && !platform?.managed.csi);
  const signs = Object.values(platform?.managed ?? {});
  return left || signs.length === 0 ? undefined : `${platform?.kind} manages the drivers itself: ${signs.join(', ')}.`;
};

const placeOf = ({ kind, distribution }: DriverObservation): string => {
  if (distribution === 'Native') return names.namespace;
  return kind === 'CPI' ? names.systemNamespace : names.upstreamCsiNamespace;
};
const podsRemedy = (drivers: readonly DriverObservation[]): string => {
  const places = [...new Set(drivers.map(placeOf))];
  return `See ${places.map((place) => `kubectl -n ${place} get pods`).join('; ')}.`;
};

const storageReady = (observation: Observation): Verdict => {
  if (!observation.wanted.csi) return unknown('NotManaged', 'spec.csi is not set: VDO does not manage storage.');
  if (observation.platform?.managed.csi)
    return yes('PlatformManaged', `Storage is served by ${observation.platform.managed.csi}.`);
  const csi = observation.drivers.find(({ kind }) => kind === 'CSI');
  if (!csi?.version) return no(observation.failure?.code ?? 'NotInstalled', 'The CSI driver is not installed.');
  const [stopped] = observation.checks?.storage ?? [];
  if (isReady(csi) && stopped) return no(stopped.reason, reported(stopped));
  return isReady(csi)
    ? yes('DriverReady', podsOf(csi))
    : no('WorkloadsNotReady', `${podsOf(csi)}. ${podsRemedy([csi])}`);
};

// A rollout with a single pod is briefly down. A driver that was available before and makes progress counts as available.
const staysAvailable = (driver: DriverObservation, before: Verdict['status'] | undefined): boolean =>
  isAvailable(driver) || (before === 'True' && driver.changing === true && driver.version !== undefined);

const available = (observation: Observation, before: Verdict['status'] | undefined): Verdict => {
  const platform = platformManaged(observation);
  if (platform) return yes('PlatformManaged', platform);
  const drivers = wantedDrivers(observation);
  const missing = drivers.filter((driver) => !staysAvailable(driver, before));
  if (drivers.length === 0)
    return unknown(observation.failure?.code ?? 'NotChecked', 'The drivers have not been checked yet.');
  if (missing.length === 0) return yes('DriversRunning', drivers.map(podsOf).join('; '));
  return no(
    observation.failure?.code ?? 'WorkloadsNotReady',
    `${missing.map(podsOf).join('; ')}. ${observation.failure?.remedy ?? podsRemedy(missing)}`,
  );
};

/** A switch of the distribution that is pulling images: everything runs, but not yet as the spec says. */
const pulling = ({ holds = [] }: Observation) => holds.find(({ reason }) => reason === imagesPending);

// VolumesInUse is retried, but only a person can decide what happens to the volumes.
const needsPerson = ({ retry, code }: VdoError): boolean => retry !== 'backoff' || code === 'VolumesInUse';

const progressing = (observation: Observation): Verdict => {
  const moving = wantedDrivers(observation).filter(
    (driver) => driver.target ?? (driver.rollingOut || (driver.version !== undefined && !isReady(driver))),
  );
  const upgrading = moving.filter(({ target }) => target !== undefined);
  const [hold] = observation.holds ?? [];
  if (upgrading.length > 0)
    return yes(
      'Upgrading',
      upgrading.map((driver) => `${driver.kind} ${driver.version} to ${driver.target}; ${podsOf(driver)}`).join('; '),
    );
  if (observation.failure) {
    const condition = needsPerson(observation.failure) ? 'Stalled' : 'Degraded';
    return no(observation.failure.code, `No changes are being made: see condition ${condition}.`);
  }
  const [held] = moving.flatMap(({ problem }) => problem ?? []);
  if (held && moving.every(({ problem }) => problem))
    return no(held.code, 'The rollout makes no progress: see condition Degraded.');
  if (moving.length > 0) return yes('RollingOut', moving.map(podsOf).join('; '));
  const pull = pulling(observation);
  if (pull) return yes(pull.reason, pull.message);
  return hold ? no(hold.reason, hold.message) : no('UpToDate', 'The drivers run as specified.');
};

const firstError = (vcenters: readonly VCenterObservation[]): VdoError | undefined =>
  vcenters.flatMap(({ reachError, loginError }) => reachError ?? loginError ?? [])[0];

const problemOf = (observation: Observation): VdoError | undefined =>
  observation.failure ??
  firstError(observation.vcenters) ??
  wantedDrivers(observation).flatMap(({ problem }) => problem ?? [])[0] ??
  observation.cniProblem ??
  observation.contest;

/** A first installation cannot degrade anything: there, failing checks are reported by the checks alone. */
const degradingChecks = (observation: Observation, before: Verdict['status'] | undefined) => {
  const { checks } = observation;
  if (checks?.degraded.status === 'True') return checks.degraded;
  const serve = before === 'True' || wantedDrivers(observation).every(isAvailable);
  return serve && checks?.failing.status === 'True' ? checks.failing : undefined;
};

const degraded = (observation: Observation, before: Verdict['status'] | undefined): Verdict => {
  const error = problemOf(observation);
  if (error) return yes(error.code, explain(error));
  const failing = degradingChecks(observation, before);
  return failing ? yes(failing.reason, failing.message) : no('AsExpected', 'No known problems.');
};

const stalled = ({ failure }: Observation): Verdict =>
  failure && needsPerson(failure) ? yes(failure.code, explain(failure)) : no('AsExpected', 'No manual action needed.');

const upgradeable = (observation: Observation): Verdict => {
  const error = problemOf(observation);
  if (error) return no(error.code, `Fix this before an upgrade: ${explain(error)}`);
  const { checks, rolledBack = [], matrixProblem } = observation;
  if (checks && checks.upgradeable.status !== 'True') {
    const { status, reason, message } = checks.upgradeable;
    return { status, reason, message: `Fix this before an upgrade to another minor release: ${message}` };
  }
  if (rolledBack.length > 0)
    return no(
      'UpgradeRolledBack',
      `Not retried until the compatibility matrix or the spec changes: ${rolledBack.join('; ')}`,
    );
  if (matrixProblem) return no(matrixProblem.code, `New releases cannot be found: ${explain(matrixProblem)}`);
  return yes('AsExpected', 'No known upgrade blockers.');
};

const ready = (observation: Observation): Verdict => {
  if (observation.failure) return failed(observation.failure);
  const platform = platformManaged(observation);
  if (platform) return yes('PlatformManaged', platform);
  const drivers = wantedDrivers(observation);
  const [short] = drivers.filter(({ problem }) => problem);
  if (short?.problem) return no(short.problem.code, `${podsOf(short)}. ${explain(short.problem)}`);
  const waiting = drivers.filter((driver) => driver.rollingOut || driver.target !== undefined || !isReady(driver));
  if (drivers.length === 0 || waiting.length > 0)
    return no('RollingOut', waiting.map(podsOf).join('; ') || 'The drivers have not been checked yet.');
  const nodes = nodesInitialized(observation);
  if (nodes.status === 'False') return nodes;
  if (observation.cniProblem) return failed(observation.cniProblem);
  const pull = pulling(observation);
  if (pull) return no(pull.reason, pull.message);
  return yes('AllReady', drivers.map(({ kind, version }) => `${kind} ${version ?? ''}`.trim()).join(', '));
};

const pickNote = (outcome: CheckOutcome) => ({
  reason: outcome.reason,
  message: outcome.message,
  remedy: remedyLine(outcome),
});
const reported = (outcome: CheckOutcome): string => `${sentence(outcome.message)} ${remedyLine(outcome)}`;

const privilegesSufficient = ({ checks }: Observation): Verdict => {
  if (!checks) return unknown('NotChecked', 'The checks have not run yet.');
  const [worst] = checks.privileges.failing;
  if (worst) return no(worst.reason, reported(worst));
  return checks.privileges.passed > 0
    ? yes('AsExpected', `${checks.privileges.passed} checks of vSphere privileges passed.`)
    : unknown('NotChecked', 'The vSphere privileges could not be read: see VCenterReachable and CredentialsValid.');
};

type Judge = (observation: Observation, before: Verdict['status'] | undefined) => Verdict;

const verdicts: Readonly<Record<ConditionType, Judge>> = {
  Ready: ready,
  Available: available,
  Progressing: progressing,
  Degraded: degraded,
  Upgradeable: upgradeable,
  Stalled: stalled,
  VCenterReachable: vcenterReachable,
  CredentialsValid: credentialsValid,
  PrivilegesSufficient: privilegesSufficient,
  NodesInitialized: nodesInitialized,
  StorageReady: storageReady,
};

/** All conditions, always, in a fixed order: what users see of one reconcile. `previous` are those of the reconcile before. */
export const decideConditions = (
  observation: Observation,
  previous: readonly (Verdict & { readonly type: string })[] = [],
): readonly DecidedCondition[] =>
  Object.entries(verdicts).map(([type, judge]) => {
    const before = previous.find((condition) => condition.type === type);
    return { type: type as ConditionType, ...judge(observation, before?.status) };
  });
