import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { describeRef, type ObjectRef } from './object-ref.ts';

const says = (message: string): boolean =>
  /immutable|may not be changed/i.test(message) ||
  (/updates to /i.test(message) && / (?:are|is) forbidden/i.test(message));

/**
 * Tells a change of a field that cannot be changed apart from a wrong manifest; other errors pass unchanged. Such an
 * object is never deleted and recreated: a StorageClass or a selector that disappears for a moment causes harm.
 */
export const immutableFieldError = (ref: ObjectRef, error: unknown): unknown => {
  if (!isVdoError(error, 'KubeInvalid', 'KubeForbidden')) return error;
  if (!says(error.message)) return error;
  const { kind, name, namespace } = ref;
  const resource = `${kind.toLowerCase()} ${name}${namespace ? ` --namespace ${namespace}` : ''}`;
  return new VdoError({
    code: 'KubeImmutableField',
    message: `${describeRef(ref)} cannot be changed as requested: ${error.message}`,
    remedy: `Undo the setting that causes the change, or recreate the object: kubectl delete ${resource}`,
    cause: error,
    details: { ...error.details, kind, name, ...(namespace && { namespace }) },
  });
};
