import { isDeepStrictEqual } from 'node:util';
import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { ConfigMapState } from '@vdo/kube/config-map-state';
import { readSpec } from '../decisions/read-spec.ts';

/** What is noted: the last spec that could be read, as people wrote it. It names Secrets and holds none. */
export interface NotedSpec {
  readonly spec?: VSphereDrivers['spec'];
}

export interface ReadResource {
  /** The resource with a spec that can be followed. */
  readonly resource: VSphereDrivers;
  /** Why that is an earlier one. */
  readonly problem?: VdoError;
}

/** The last spec that could be read. Who mistypes the spec has asked for nothing: what runs is kept as it was asked for before. */
export interface SpecMemory {
  /** Throws ConfigInvalid if neither this spec nor an earlier one can be read. */
  read(resource: VSphereDrivers): Promise<ReadResource>;
  /** Notes a spec that drivers run by, unless it is noted. */
  keep(resource: VSphereDrivers, call: { readonly signal: AbortSignal }): Promise<void>;
  /** The one that was followed last; undefined before the first pass. */
  followed(): VSphereDrivers | undefined;
}

export interface SpecMemoryOptions {
  readonly store: ConfigMapState<NotedSpec>;
  /** Changes with the note, as a watch shows it: it may be deleted, or be one of a restored backup. */
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
      // Of what was just written the watch tells later: it is looked at once more then.
      noted = isNoted ? { spec, version } : undefined;
    },
    followed: () => followed,
  };
};
