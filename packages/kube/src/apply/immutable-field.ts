import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { describeRef, type ObjectRef } from './object-ref.ts';

const says = (message: string): boolean =>
  /immutable|may not be changed/i.test(message) ||
  (/updates to /i.test(message) && / (?:are|is) forbidden/i.test(message));

/**
 * Distinguishes a change of an immutable field from an invalid manifest; other errors are returned unchanged. Such an
 * object is never deleted and recreated: it would cause harm if a StorageClass or a selector were missing for a moment.
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
