import { isDeepStrictEqual } from 'node:util';
import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { ConfigMapState } from '@vdo/kube/config-map-state';
import { readSpec } from '../decisions/read-spec.ts';

/** The record: the last readable spec, as written by the user. It names Secrets and contains none. */
export interface NotedSpec {
  readonly spec?: VSphereDrivers['spec'];
}

export interface ReadResource {
  /** The resource with a valid spec. */
  readonly resource: VSphereDrivers;
  /** Why that is an earlier spec. */
  readonly problem?: VdoError;
}

/** The last readable spec. If the current one is invalid, the drivers keep running by the previous one. */
export interface SpecMemory {
  /** Throws ConfigInvalid if neither this spec nor an earlier one can be read. */
  read(resource: VSphereDrivers): Promise<ReadResource>;
  /** Records the spec that drivers run by, unless it is already recorded. */
  keep(resource: VSphereDrivers, call: { readonly signal: AbortSignal }): Promise<void>;
  /** The spec that was used last; undefined before the first pass. */
  followed(): VSphereDrivers | undefined;
}

export interface SpecMemoryOptions {
  readonly store: ConfigMapState<NotedSpec>;
  /** The version of the record in the watch: it may be deleted, or replaced from a backup. */
  readonly noteVersion: () => string | undefined;
}

const canBeRead = (resource: VSphereDrivers): boolean => {
  try {
    readSpec(resource);
    return true;
  } catch (error) {
    if (isVdoError(error, 'ConfigInvalid')) return false;
    throw error;
  }
};

export const createSpecMemory = ({ store, noteVersion }: SpecMemoryOptions): SpecMemory => {
  let noted: { readonly spec: unknown; readonly version: string | undefined } | undefined;
  let followed: VSphereDrivers | undefined;

  const earlier = async (resource: VSphereDrivers): Promise<VSphereDrivers | undefined> => {
    const { spec } = await store.load();
    const candidates = [spec, followed?.spec].flatMap((one) => (one === undefined ? [] : [{ ...resource, spec: one }]));
    return candidates.find(canBeRead);
  };

  return {
    read: async (resource) => {
      try {
        readSpec(resource);
        followed = resource;
        return { resource };
      } catch (problem) {
        if (!isVdoError(problem, 'ConfigInvalid')) throw problem;
        const last = await earlier(resource);
        if (!last) throw problem;
        followed = last;
        return { resource: last, problem };
      }
    },
    keep: async ({ spec }, call) => {
      const version = noteVersion();
      if (noted?.version === version && isDeepStrictEqual(noted?.spec, spec)) return;
      const { spec: before } = await store.load();
      const isNoted = isDeepStrictEqual(before, spec);
      if (!isNoted) await store.save({ spec }, call);
      // The watch reports this write later: the record is then read once more.
      noted = isNoted ? { spec, version } : undefined;
    },
    followed: () => followed,
  };
};
