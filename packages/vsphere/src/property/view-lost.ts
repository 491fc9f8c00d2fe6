import { isVdoError, VdoError } from '@vdo/base/vdo-error';

/** A view ends with its session. What was read from it is then incomplete. */
export const viewLost = (cause?: unknown): VdoError =>
  new VdoError({
    code: 'VCenterSessionLost',
    message: 'the vCenter session ended while the inventory was being read',
    remedy:
      'No action needed: the inventory is read again. If this persists, check who ends sessions (Administration → Sessions in the vSphere Client).',
    effect: 'none',
    details: { view: true },
    cause,
  });

export const isViewLost = (error: unknown): boolean =>
  isVdoError(error, 'VCenterSessionLost') && error.details['view'] === true;
