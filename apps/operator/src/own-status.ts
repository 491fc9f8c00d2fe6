import { type VSphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import type { Change } from '@vdo/kube/informer';
import { mergePatch } from './decisions/status-patch.ts';

/** Remembers the status that this operator has written, to recognize what another client writes over it. */
export interface OwnStatus {
  /** The status that is being written or was written: a watch may show it before the reply arrives. */
  note(resource: VSphereDrivers, status: VSphereDriversStatus): void;
  /** Whether this change is a status that the operator has not reported. */
  isOverwritten(change: Change<VSphereDrivers>): boolean;
}

export const createOwnStatus = (): OwnStatus => {
  let own: { readonly uid: string | undefined; readonly status: VSphereDriversStatus } | undefined;
  return {
    note: ({ metadata: { name, uid } }, status) => {
      // Resources with other names are rejected once, and nothing acts on their status.
      if (name === vsphereDriversName) own = { uid, status };
    },
    isOverwritten: ({ type, object, previous }) => {
      if (type !== 'updated' || own?.uid !== object.metadata.uid) return false;
      const isOther = (status: unknown) => mergePatch(status, object.status ?? {}) !== undefined;
      return isOther(previous?.status ?? {}) && isOther(own?.status);
    },
  };
};
