import type { DriverStatus, VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import { vcenterVersionOf } from '@vdo/config/product-version';
import { setCondition } from '@vdo/kube/conditions';
import type { Condition } from '@vdo/kube/types/object';
import type { DriverObservation, Observation } from '../observation.ts';
import { decideConditions } from './conditions.ts';

export interface StatusContext {
  readonly generation: number;
  readonly previous: readonly Condition[];
  /** The previous status; it supplies the versions of vCenters that do not answer now. */
  readonly last?: VSphereDriversStatus | undefined;
  readonly operatorVersion: string;
  readonly nowMs: number;
}

const stamped = (observation: Observation, { generation, previous, nowMs }: StatusContext): Condition[] =>
  decideConditions(observation, previous).flatMap((decided) =>
    setCondition(
      previous.filter(({ type }) => type === decided.type),
      { ...decided, observedGeneration: generation },
      nowMs,
    ),
  );

const driverStatus = ({ rollingOut: _, changing: __, problem: ___, ...driver }: DriverObservation): DriverStatus => ({
  ...driver,
});

const cniStatus = ({ cni }: Observation): readonly DriverStatus[] =>
  cni
    ? [
        {
          kind: 'CNI',
          distribution: cni.name,
          ...(cni.version ? { version: cni.version } : {}),
          nodes: { ...cni.nodes },
        },
      ]
    : [];

const vcenterVersions = ({ vcenters }: Observation, last: VSphereDriversStatus | undefined) =>
  vcenters.map(({ server, about }) => {
    const known = last?.versions?.vcenters?.find((one) => one.server === server);
    return { server, ...(about ? { version: vcenterVersionOf(about), build: about.build } : known) };
  });

/** The whole status of the resource: a pure function of what was observed and of the times of the previous conditions. */
export const decideStatus = (observation: Observation, context: StatusContext): VSphereDriversStatus => ({
  observedGeneration: context.generation,
  conditions: stamped(observation, context),
  drivers: [
    ...observation.drivers.filter(({ version, target }) => version ?? target).map(driverStatus),
    ...cniStatus(observation),
  ],
  versions: {
    operator: context.operatorVersion,
    ...(observation.kubernetesVersion ? { kubernetes: observation.kubernetesVersion } : {}),
    ...(observation.matrix ? { matrix: observation.matrix } : {}),
    vcenters: vcenterVersions(observation, context.last),
  },
  // What cannot be counted now is reported as last counted, with its age.
  ...((observation.volumes ?? context.last?.volumes) ? { volumes: observation.volumes ?? context.last?.volumes } : {}),
  ...(observation.checks ? { checks: observation.checks.summary } : {}),
  ...(observation.nodes
    ? {
        nodes: {
          total: observation.nodes.total,
          initialized: observation.nodes.initialized,
          failing: [...observation.nodes.failing],
        },
      }
    : {}),
});
