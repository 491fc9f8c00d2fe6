import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { type VSphereDrivers, type VSphereDriversSpec, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Matrix } from '@vdo/releases/matrix';
import { renderDrivers } from '@vdo/releases/render/render-drivers';
import { vcenterVersionOf } from '@vdo/releases/versions';
import { readCredentials } from './gather/credentials.ts';
import { observeDrivers } from './gather/observe-drivers.ts';
import { observeVCenters } from './gather/observe-vcenters.ts';
import type { VCenterPool } from './gather/vcenter-pool.ts';
import type { NodesObservation, Observation, VCenterObservation } from './observation.ts';
import { planDrivers } from './plan-drivers.ts';

export interface ConvergeDeps {
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly vcenters: VCenterPool;
  readonly matrix: { readonly document: Matrix; readonly source: string };
  readonly apply: (objects: readonly AnyObject[], options: { readonly signal: AbortSignal }) => Promise<void>;
  readonly nodes: () => NodesObservation;
}

const parseSpec = (resource: VSphereDrivers): VSphereDriversSpec => {
  if (resource.metadata.name !== vsphereDriversName) {
    throw new VdoError({
      code: 'ResourceNotSingleton',
      message: `VSphereDrivers ${resource.metadata.name} is not acted upon: the only one that counts is named ${vsphereDriversName}`,
      remedy: `Rename it to ${vsphereDriversName}, or kubectl delete vspheredrivers ${resource.metadata.name}.`,
    });
  }
  return parseVSphereDrivers(resource).spec;
};

/** Drivers are installed or changed only if every vCenter answered and let us in: a half-known world is left alone. */
const requireVCenters = (
  observations: readonly VCenterObservation[],
): readonly { readonly server: string; readonly version: string }[] => {
  const [error] = observations.flatMap(({ reachError, loginError }) => reachError ?? loginError ?? []);
  if (error) throw error;
  return observations.flatMap(({ server, about }) => (about ? [{ server, version: vcenterVersionOf(about) }] : []));
};

const readAccounts = (deps: ConvergeDeps, spec: VSphereDriversSpec, signal: AbortSignal) =>
  Promise.all(
    spec.vcenters.map(async (vcenter) => {
      const { username, password } = await readCredentials(deps.kube, vcenter, { namespace: deps.namespace, signal });
      return { server: vcenter.server, username, password };
    }),
  );

/** One pass: read the world, choose, render, apply, and look at the result. Never throws but for cancellation. */
export const converge = async (
  deps: ConvergeDeps,
  resource: VSphereDrivers,
  options: { readonly signal: AbortSignal },
): Promise<Observation> => {
  const { kube, namespace } = deps;
  const { signal } = options;
  const wanted = wantedDrivers(resource);
  const matrix = { serial: deps.matrix.document.serial, source: deps.matrix.source };
  let learned: Observation = { vcenters: [], drivers: [], wanted, matrix };
  try {
    const spec = parseSpec(resource);
    const kubernetesVersion = await kube.serverVersion({ signal });
    learned = { ...learned, kubernetesVersion };
    const vcenters = await observeVCenters(await deps.vcenters.use(spec.vcenters), { signal });
    learned = { ...learned, vcenters };
    const vcenterVersions = requireVCenters(vcenters);
    const drivers = await observeDrivers(kube, { namespace, kinds: ['CPI', 'CSI'], signal });
    const releases = planDrivers({ spec, matrix: deps.matrix.document, kubernetesVersion, vcenterVersions, drivers });
    const accounts = await readAccounts(deps, spec, signal);
    await deps.apply(renderDrivers({ spec, releases, accounts, namespace }), { signal });
  } catch (error) {
    signal.throwIfAborted();
    learned = { ...learned, failure: toVdoError(error) };
  }
  return { ...learned, ...(await look(deps, wanted, learned.failure, signal)) };
};

export const wantedDrivers = ({ spec }: VSphereDrivers): Observation['wanted'] => ({
  cpi: spec?.cpi !== undefined,
  csi: spec?.csi !== undefined,
});

/** What runs is observed even when the pass failed: a running driver stays Available during an outage. */
const look = async (
  deps: ConvergeDeps,
  wanted: Observation['wanted'],
  failure: VdoError | undefined,
  signal: AbortSignal,
): Promise<Partial<Observation>> => {
  const kinds = [...(wanted.cpi ? (['CPI'] as const) : []), ...(wanted.csi ? (['CSI'] as const) : [])];
  try {
    const drivers = await observeDrivers(deps.kube, { namespace: deps.namespace, kinds, signal });
    return { drivers, nodes: deps.nodes() };
  } catch (error) {
    signal.throwIfAborted();
    return { failure: failure ?? toVdoError(error) };
  }
};
