import { VdoError } from '@vdo/base/vdo-error';
import { checkGroups, remedyLine } from '@vdo/checks/check';
import type { ReleaseFacts } from '@vdo/checks/facts';
import type { Support } from '@vdo/checks/facts/vcenter-facts';
import { accountSecrets } from '@vdo/config/driver-accounts';
import { vcenterVersionOf } from '@vdo/config/product-version';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Deployment } from '@vdo/kube/types/workloads';
import { embeddedSource } from '@vdo/releases/load-matrix';
import { type DriverKind, expiryFacts, type Release } from '@vdo/releases/matrix';
import { compareToRange } from '@vdo/releases/versions';
import { runChecksAnnotation } from '../checks/check-runner.ts';
import { ofDriver } from '../decisions/drivers.ts';
import type { DriverPlan } from '../decisions/upgrade/plan-drivers.ts';
import type { ChecksObservation } from '../observation.ts';
import { driverKinds } from './choose.ts';
import type { Call, PassDeps } from './deps.ts';
import type { Survey } from './survey.ts';

const supportOf = (version: string, range: Release['kubernetes']): Support => ({
  ...range,
  verdict: compareToRange(version, range),
});

const releaseFacts = (world: Survey, plan: DriverPlan): ReleaseFacts => {
  const { matrix, source, problem } = world.matrix;
  const factsOf = (driver: DriverKind) => {
    const { previous, release: next, leave } = plan[driver] ?? {};
    const release = previous ?? (leave ? undefined : next);
    if (!release) return [];
    const { distribution, version, kubernetes } = release;
    const installed = ofDriver(world.running, driver).length > 0;
    const kind = driver === 'cpi' ? ('CPI' as const) : ('CSI' as const);
    return [{ kind, distribution, version, installed, kubernetes: supportOf(world.kubernetesVersion, kubernetes) }];
  };
  return {
    drivers: driverKinds.flatMap(factsOf),
    matrix: {
      serial: matrix.serial,
      source,
      publishedMs: Date.parse(matrix.published),
      ...expiryFacts(matrix),
      // A matrix without a trusted signature is never used.
      signature: source === embeddedSource ? 'embedded' : 'trusted',
      ...(problem ? { refused: problem } : {}),
    },
  };
};

// The ServiceAccounts are created by the installation: a dry run that names one would be rejected for that alone.
const withoutAccount = (object: AnyObject): AnyObject => {
  const spec = object['spec'] as Partial<Deployment['spec']> | undefined;
  if (!spec?.template) return object;
  const { serviceAccountName: _, ...pod } = spec.template.spec;
  return { ...object, spec: { ...spec, template: { ...spec.template, spec: pod } } };
};

/** Runs the checks whose time has come. `planned` are objects that are about to be installed for the first time. */
export const check = (
  deps: PassDeps,
  world: Survey,
  {
    plan,
    planned = [],
    settling = false,
  }: { readonly plan: DriverPlan; readonly planned?: readonly AnyObject[]; readonly settling?: boolean },
  { signal }: Call,
): Promise<ChecksObservation> => {
  const { resource, spec, clients, accounts: own, installed } = world;
  const ranges = driverKinds.flatMap((driver) => plan[driver]?.release.vsphere ?? []);
  const vsphereSupport = (product: { readonly version: string; readonly apiVersion: string }): Support => {
    const supports = ranges.map((range) => supportOf(vcenterVersionOf(product), range));
    return supports.find(({ verdict }) => verdict !== 'inside') ?? (supports[0] as Support);
  };
  const context = {
    kube: deps.kube,
    spec,
    namespace: deps.namespace,
    // A vCenter that did not answer in this pass is not asked again: the report on the others must not wait.
    vcenters: spec.vcenters.flatMap((one, index) => {
      const vcenter = world.vcenters[index]?.reachError ?? clients[index];
      return vcenter ? [{ spec: one, vcenter }] : [];
    }),
    accounts: own.map(({ vcenter, drivers, client }) => ({ spec: vcenter, drivers, vcenter: client })),
    releases: releaseFacts(world, plan),
    ...(ranges.length > 0 ? { vsphereSupport } : {}),
    nodes: deps.nodes(),
    planned: planned.filter(({ metadata }) => metadata.namespace === deps.namespace).map(withoutAccount),
  };
  // After an edit of the spec or a Secret the result shows at once.
  const edited = String(resource.metadata.generation);
  const accounts = JSON.stringify([edited, ...accountSecrets(spec).map(deps.secretVersion)]);
  const request = resource.metadata.annotations?.[runChecksAnnotation] ?? '';
  const { serial, source, problem } = world.matrix;
  // A corrected matrix takes effect without waiting for the hourly round.
  const inputs = {
    ...Object.fromEntries(checkGroups.map((group) => [group, edited])),
    vcenter: accounts,
    credentials: accounts,
    versions: JSON.stringify([edited, serial, source, problem?.message]),
  };
  return deps.checks.observe(context, { installed, settling, request, inputs, signal });
};

/** Throws InstallBlocked while a check forbids a first installation. */
export const requireInstallable = ({ installBlockers }: ChecksObservation): void => {
  const [worst, ...others] = installBlockers;
  if (!worst) return;
  const more = others.length > 0 ? ` (and ${others.length} more: vdoctl status)` : '';
  throw new VdoError({
    code: 'InstallBlocked',
    message: `nothing is installed because check ${worst.id} failed for ${worst.object.kind} ${worst.object.name}: ${worst.message}${more}`,
    remedy: remedyLine(worst),
    details: { blockers: installBlockers.map(({ id }) => id) },
  });
};
