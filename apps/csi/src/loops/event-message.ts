import { VdoError } from '@vdo/base/vdo-error';

/** An error as people read it in an event: what happened, what helps, and the code to look up. */
export const eventMessage = ({ message, remedy, code }: VdoError): string => `${message}. ${remedy} [${code}]`;

/** A person may change vCenter without a trace in Kubernetes: in a control loop nothing is given up for good. */
export const recheckLater = (error: VdoError): VdoError =>
  error.retry === 'never'
    ? new VdoError({ ...error, message: error.message, retry: 'on-change', cause: error.cause })
    : error;
