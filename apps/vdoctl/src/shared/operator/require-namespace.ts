import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';

/** Throws InvalidArgument for any other namespace than the one to which the rights of operator and drivers are bound. */
export const requireNamespace = (namespace: string): void => {
  if (namespace === names.namespace) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `--namespace is ${namespace}, but the operator and the drivers live in ${names.namespace}: their rights are bound to it`,
    remedy: 'Leave --namespace out.',
  });
};
