import { VdoError } from '@vdo/base/vdo-error';
import { faultError } from '../soap/fault-error.ts';
import type { Value } from '../wire/schema.ts';
import type { CnsVolumeOperationResult } from '../wire/types/cns-results.ts';
import { CnsVolumeNotFoundFault } from '../wire/types/cns-results.ts';
import { NotFound } from '../wire/types/faults.ts';
import { wireTypes } from '../wire/wire-types.ts';

type VolumeFault = NonNullable<Value<typeof CnsVolumeOperationResult>['fault']>;
type Fault = { readonly $type: string; readonly [field: string]: unknown };

/** True if CNS says that the volume does not exist. */
export const isVolumeMissing = ({ fault }: VolumeFault): boolean =>
  wireTypes.is(fault, CnsVolumeNotFoundFault) || wireTypes.is(fault, NotFound);

/** The fault CNS reports for one volume of a finished task, as a VdoError. */
export const volumeError = (
  fault: VolumeFault,
  context: {
    readonly server: string;
    readonly call: string;
    /** Undefined: it did not come to be. */
    readonly volume: string | undefined;
  },
): VdoError => {
  const { server, volume } = context;
  const call = volume === undefined ? context.call : `${context.call} of volume ${volume}`;
  if (isVolumeMissing(fault))
    return new VdoError({
      code: 'VolumeNotFound',
      message: `vCenter ${server} has no container volume ${volume ?? ''} (${context.call})`,
      remedy:
        'The volume was deleted outside of Kubernetes. Delete the PersistentVolume, or restore the volume from a backup.',
      details: { volume, fault: fault.fault.$type },
    });
  const wire = fault.fault as Fault;
  const reason = typeof wire['reason'] === 'string' && wire['reason'] !== '' ? wire['reason'] : undefined;
  const text = fault.localizedMessage ?? reason ?? '';
  const translated = faultError(wire, text, { server, call });
  if (translated.code !== 'VCenterFault') return translated;
  return new VdoError({
    code: 'VCenterTaskFailed',
    message: `vCenter ${server} failed ${call} with ${wire.$type}${text === '' ? '' : `: ${text}`}`,
    remedy: 'Look at the task in vCenter (Monitor → Tasks) for its full message. It is tried again by itself.',
    details: { ...translated.details, volume },
  });
};
