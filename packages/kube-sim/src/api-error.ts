import type { StatusReply } from '@vdo/kube/types/object';

/** One problem of one field, as it appears in the causes of an Invalid reply. */
export interface FieldError {
  readonly field: string;
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueTypeInvalid'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany';
  readonly message: string;
}

/** The properties of a resource that appear in error messages. */
export interface Named {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/** A reply other than success. It becomes a metav1.Status on the wire. */
export class ApiError extends Error {
  readonly reply: StatusReply;

  constructor(code: number, reason: string, message: string, details?: StatusReply['details']) {
    super(message);
    this.name = 'ApiError';
    this.reply = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code,
      ...(reason === '' ? {} : { reason }),
      message,
      ...(details ? { details } : {}),
    };
  }
}

const qualified = ({ group, plural }: Named): string => (group === '' ? plural : `${plural}.${group}`);
const detailsOf = ({ group, plural }: Named, name?: string): NonNullable<StatusReply['details']> => ({
  ...(name ? { name } : {}),
  ...(group === '' ? {} : { group }),
  kind: plural,
});
const quoted = (value: unknown): string => JSON.stringify(value) ?? 'null';

export const notFound = (resource: Named, name: string): ApiError =>
  new ApiError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, detailsOf(resource, name));

export const alreadyExists = (resource: Named, name: string): ApiError =>
  new ApiError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, detailsOf(resource, name));

export const conflict = (resource: Named, name: string, why: string): ApiError =>
  new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    detailsOf(resource, name),
  );

export const staleVersion = (resource: Named, name: string): ApiError =>
  conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

export const invalid = (resource: Named, name: string, errors: readonly FieldError[]): ApiError => {
  const lines = errors.map(({ field, message }) => `${field}: ${message}`);
  const kind = resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`;
  const text = lines.length === 1 ? lines.join('') : `[${lines.join(', ')}]`;
  return new ApiError(422, 'Invalid', `${kind} "${name}" is invalid: ${text}`, {
    name,
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.kind,
    causes: errors.map(({ field, reason, message }) => ({ reason, message, field })),
  });
};

export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message);

export const forbidden = (resource: Named, name: string, why: string): ApiError => {
  const subject = name === '' ? `${qualified(resource)} is` : `${qualified(resource)} "${name}" is`;
  return new ApiError(403, 'Forbidden', `${subject} forbidden: ${why}`, detailsOf(resource, name));
};

export const unauthorized = (): ApiError => new ApiError(401, 'Unauthorized', 'Unauthorized');

export const methodNotAllowed = (): ApiError =>
  new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

export const unsupportedMediaType = (given: string, accepted: readonly string[]): ApiError =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')} (got ${given || 'none'})`,
  );

export const notAcceptable = (accepted: readonly string[]): ApiError =>
  new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);

/** The requested revision is compacted: the client must list again. */
export const expired = (requested: number, oldest: number): ApiError =>
  new ApiError(410, 'Expired', `too old resource version: ${requested} (${oldest})`);

/** The requested resourceVersion lies in the future, for example after a restore. */
export const futureVersion = (requested: number, current: number): ApiError =>
  new ApiError(504, 'Timeout', `Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

export const required = (field: string, detail = ''): FieldError => ({
  field,
  reason: 'FieldValueRequired',
  message: detail === '' ? 'Required value' : `Required value: ${detail}`,
});

export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${quoted(value)}: ${detail}`,
});

export const notSupported = (field: string, value: unknown, supported: readonly unknown[]): FieldError => ({
  field,
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${quoted(value)}: supported values: ${supported.map(quoted).join(', ')}`,
});

export const duplicate = (field: string, value: unknown): FieldError => ({
  field,
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${quoted(value)}`,
});

export const forbiddenField = (field: string, detail: string): FieldError => ({
  field,
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
});
