import { isVdoError, VdoError } from '@vdo/base/vdo-error';

/** A view goes with its session. What was read by it is not all there is. */
export const viewLost = (cause?: unknown): VdoError =>
  new VdoError({
    code: 'VCenterSessionLost',
    message: 'the session with vCenter ended while its inventory was read',
    remedy:
      'Nothing to do: it is read again. If it stays, look at who ends sessions (Administration → Sessions in the vSphere Client).',
    effect: 'none',
    details: { view: true },
    cause,
  });

export const isViewLost = (error: unknown): boolean =>
  isVdoError(error, 'VCenterSessionLost') && error.details['view'] === true;
