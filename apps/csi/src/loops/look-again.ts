import { VdoError } from '@vdo/base/vdo-error';

/** A person may change vCenter without a trace in Kubernetes: in a control loop nothing is given up for good. */
export const lookAgain = (error: VdoError): VdoError =>
  error.retry === 'never'
    ? new VdoError({ ...error, message: error.message, retry: 'on-change', cause: error.cause })
    : error;
