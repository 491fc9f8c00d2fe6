import type { DriverStatus, VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import { setCondition } from '@vdo/kube/conditions';
import type { Condition } from '@vdo/kube/types/object';
import type { DriverObservation, Observation } from '../observation.ts';
import { decideConditions } from './conditions.ts';

export interface StatusContext {
  readonly generation: number;
  readonly previous: readonly Condition[];
  readonly operatorVersion: string;
  readonly nowMs: number;
}

const stamped = (observation: Observation, { generation, previous, nowMs }: StatusContext): Condition[] =>
  decideConditions(observation).flatMap((decided) =>
    setCondition(
      previous.filter(({ type }) => type === decided.type),
      { ...decided, observedGeneration: generation },
      nowMs,
    ),
  );

const driverStatus = ({ rollingOut: _, ...driver }: DriverObservation): DriverStatus => ({ ...driver });

const vcenterVersions = ({ vcenters }: Observation) =>
  vcenters.map(({ server, about }) => ({ server, ...(about ? { version: about.version, build: about.build } : {}) }));

/** The whole status of the resource: a pure function of what was observed and of the times of the previous conditions. */
export const decideStatus = (observation: Observation, context: StatusContext): VSphereDriversStatus => ({
  observedGeneration: context.generation,
  conditions: stamped(observation, context),
  drivers: observation.drivers.filter(({ version, target }) => version ?? target).map(driverStatus),
  versions: {
    operator: context.operatorVersion,
    ...(observation.kubernetesVersion ? { kubernetes: observation.kubernetesVersion } : {}),
    ...(observation.matrix ? { matrix: observation.matrix } : {}),
    vcenters: vcenterVersions(observation),
  },
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
