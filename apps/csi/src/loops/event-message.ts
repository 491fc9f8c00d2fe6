import { VdoError } from '@vdo/base/vdo-error';

/** An error as the text of an event: what happened, the remedy, and the error code. */
export const eventMessage = ({ message, remedy, code }: VdoError): string => `${message}. ${remedy} [${code}]`;

/** A person may fix something in vCenter without any change in Kubernetes, so a control loop never stops retrying. */
export const recheckLater = (error: VdoError): VdoError =>
  error.retry === 'never'
    ? new VdoError({ ...error, message: error.message, retry: 'on-change', cause: error.cause })
    : error;
