import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { faultError } from '../soap/fault-error.ts';
import type { Value } from '../wire/schema.ts';
import type { CnsVolumeOperationResult } from '../wire/types/cns-results.ts';
import { CnsVolumeNotFoundFault } from '../wire/types/cns-results.ts';
import { NotFound } from '../wire/types/faults.ts';
import { wireTypes } from '../wire/wire-types.ts';

type VolumeFault = NonNullable<Value<typeof CnsVolumeOperationResult>['fault']>;
type Fault = { readonly $type: string; readonly [field: string]: unknown };

const isMissing = (fault: unknown): boolean =>
  wireTypes.is(fault, CnsVolumeNotFoundFault) || wireTypes.is(fault, NotFound);

/** True if a call was refused because there is no such volume: CNS reports this either immediately or in the result of a task. */
export const isMissingAtCall = (error: unknown): boolean =>
  isVdoError(error, 'VCenterFault') && isMissing(error.details['data']);

/** True if CNS reports that the volume does not exist. */
export const isVolumeMissing = ({ fault }: VolumeFault): boolean => isMissing(fault);

export const volumeMissing = (
  { server, call, volume }: { readonly server: string; readonly call: string; readonly volume: string | undefined },
  fault = 'NotFound',
): VdoError =>
  new VdoError({
    code: 'VolumeNotFound',
    message: `vCenter ${server} has no container volume ${volume ?? ''} (${call})`,
    remedy:
      'The volume was deleted outside of Kubernetes. Delete the PersistentVolume, or restore the volume from a backup.',
    details: { volume, fault },
  });

/** The fault CNS reports for one volume of a finished task, as a VdoError. */
export const volumeError = (
  fault: VolumeFault,
  context: {
    readonly server: string;
    readonly call: string;
    /** Undefined: the volume was not created. */
    readonly volume: string | undefined;
  },
): VdoError => {
  const { server, volume } = context;
  const call = volume === undefined ? context.call : `${context.call} of volume ${volume}`;
  if (isVolumeMissing(fault)) return volumeMissing(context, fault.fault.$type);
  const wire = fault.fault as Fault;
  const reason = typeof wire['reason'] === 'string' && wire['reason'] !== '' ? wire['reason'] : undefined;
  const text = fault.localizedMessage ?? reason ?? '';
  const translated = faultError(wire, text, { server, call });
  if (translated.code !== 'VCenterFault') return translated;
  return new VdoError({
    code: 'VCenterTaskFailed',
    message: `vCenter ${server} failed ${call} with ${wire.$type}${text === '' ? '' : `: ${text}`}`,
    remedy: 'See the task in vCenter (Monitor → Tasks) for its full message. The driver retries automatically.',
    details: { ...translated.details, volume },
  });
};
