import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';

/** Throws InvalidArgument for any namespace other than the one that the RBAC rules of operator and drivers are for. */
export const requireNamespace = (namespace: string): void => {
  if (namespace === names.namespace) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `--namespace is ${namespace}, but the operator and the drivers can run only in ${names.namespace}: their RBAC rules are for this namespace`,
    remedy: 'Remove the flag --namespace.',
  });
};
