import { type HttpResponse, httpResponse } from '@vdo/base/http';

const statuses = {
  already_exists: 400,
  invalid_argument: 400,
  unauthenticated: 401,
  unauthorized: 403,
  not_found: 404,
  not_allowed_in_current_state: 400,
  error: 500,
} as const;

export type RestErrorKind = keyof typeof statuses;

/** The error that a REST handler throws. */
export class RestError extends Error {
  readonly kind: RestErrorKind;

  constructor(kind: RestErrorKind, message: string) {
    super(message);
    this.name = 'RestError';
    this.kind = kind;
  }
}

const messagesOf = (message: string) => [{ id: 'vdo.simulated', default_message: message, args: [] }];

/** `/rest` and `/api` format errors differently. */
export const errorResponse = (error: RestError, style: 'rest' | 'api'): HttpResponse => {
  const body =
    style === 'rest'
      ? { type: `com.vmware.vapi.std.errors.${error.kind}`, value: { messages: messagesOf(error.message) } }
      : { error_type: error.kind.toUpperCase(), messages: messagesOf(error.message) };
  return httpResponse(statuses[error.kind], JSON.stringify(body), { 'content-type': 'application/json' });
};
