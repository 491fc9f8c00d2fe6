import type { ErrorCode, RetryAdvice } from '@vdo/base/error-codes';
import { VdoError } from '@vdo/base/vdo-error';
import { forbiddenAdvice } from './forbidden.ts';
import { describeTarget, type VerbTarget } from './request-path.ts';
import type { StatusReply } from './types/object.ts';
import { apiVersionOf } from './types/resource.ts';

interface Advice {
  readonly code: ErrorCode;
  readonly remedy: string;
  readonly message?: string;
  readonly retry?: RetryAdvice;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Translates a refusal of the API server. `reply` is undefined if the body was not a Status (an error page of a proxy, a plain 404). */
export const apiError = (
  call: VerbTarget,
  httpStatus: number,
  reply: StatusReply | undefined,
  { retryAfterSeconds = reply?.details?.retryAfterSeconds }: { readonly retryAfterSeconds?: number | undefined } = {},
): VdoError => {
  const said = reply?.message?.trim() || `HTTP status ${httpStatus}`;
  const advice = adviceFor(call, httpStatus, reply);
  return new VdoError({
    code: advice.code,
    message: advice.message ?? `cannot ${call.verb} ${describeTarget(call)}: ${said}`,
    remedy: advice.remedy,
    ...(advice.retry && { retry: advice.retry }),
    details: {
      verb: call.verb,
      resource: call.resource.plural,
      group: call.resource.group,
      ...(call.namespace && { namespace: call.namespace }),
      ...(call.name && { name: call.name }),
      status: httpStatus,
      ...(reply?.reason && { reason: reply.reason }),
      ...(retryAfterSeconds && { retryAfterSeconds }),
      ...advice.details,
    },
  });
};

/** Reads a Status out of a body; undefined if it is something else. */
export const parseStatus = (body: string): StatusReply | undefined => {
  try {
    const parsed: unknown = JSON.parse(body);
    return isStatus(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** True for a `Status` object that was returned instead of the requested object. */
export const isStatus = (value: unknown): value is StatusReply =>
  typeof value === 'object' && value !== null && (value as { readonly kind?: unknown }).kind === 'Status';

const adviceFor = (call: VerbTarget, httpStatus: number, reply: StatusReply | undefined): Advice => {
  switch (httpStatus) {
    case 401:
      return { code: 'KubeUnauthorized', remedy: unauthorizedRemedy };
    case 403:
      return { code: 'KubeForbidden', ...forbiddenAdvice(call, reply) };
    case 404:
      return missing(call, reply);
    case 409:
      return conflict(reply);
    case 410:
      return { code: 'KubeGone', remedy: 'No action needed: the list is read again automatically.' };
    case 429:
      return { code: 'KubeThrottled', remedy: throttledRemedy };
    default:
      if (isFuture(reply))
        return { code: 'KubeGone', remedy: 'No action needed: the list is read again automatically.' };
      return httpStatus >= 500
        ? { code: 'KubeServerError', remedy: serverErrorRemedy }
        : { code: 'KubeInvalid', remedy: invalidRemedy(reply) };
  }
};

/** The requested version is in the future: the server was restored from a backup, or is behind another one. */
const isFuture = (reply: StatusReply | undefined): boolean =>
  reply?.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;

// A missing object is named in the Status. For a path that is not served, the Status has no details, or there is no Status at all.
const missing = (call: VerbTarget, reply: StatusReply | undefined): Advice => {
  const details = reply?.details;
  if (details?.name)
    return {
      code: 'KubeNotFound',
      remedy: `Create ${details.kind ?? 'the object'} "${details.name}", or correct the name that refers to it.`,
    };
  return resourceMissing(apiVersionOf(call.resource), call.resource.kind, call.verb);
};

const resourceMissing = (apiVersion: string, kind: string, verb: string): Advice => ({
  code: 'KubeResourceMissing',
  message: `cannot ${verb} ${kind}: the API server does not serve ${apiVersion} ${kind}`,
  remedy: `Install the CustomResourceDefinition that defines ${kind} in ${apiVersion}, or a server version that includes it.`,
});

/** For a manifest whose kind no server group lists. */
export const resourceMissingError = (apiVersion: string, kind: string): VdoError =>
  new VdoError({
    ...resourceMissing(apiVersion, kind, 'find'),
    message: `the API server does not serve ${apiVersion} ${kind}`,
  });

const conflict = (reply: StatusReply | undefined): Advice => {
  if (reply?.reason === 'AlreadyExists')
    return { code: 'KubeAlreadyExists', remedy: 'Use another name, or delete the object with this name.' };
  const causes = (reply?.details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict');
  if (causes.length === 0)
    return {
      code: 'KubeConflict',
      remedy: 'No action needed: the object was changed meanwhile; it is read again and the change is retried.',
    };
  const managers = [...new Set(causes.flatMap(({ message }) => message?.match(/conflict with "([^"]+)"/)?.[1] ?? []))];
  const fields = causes.map(({ field }) => field ?? '?');
  return {
    code: 'KubeFieldConflict',
    remedy: `Stop ${list(managers)} from setting ${fields.join(', ')}, or remove those fields from its manifest.`,
    details: { managers, fields },
  };
};

const list = (managers: readonly string[]): string =>
  managers.length === 0 ? 'the other field manager' : managers.map((name) => `"${name}"`).join(' and ');

const invalidRemedy = (reply: StatusReply | undefined): string => {
  const fields = (reply?.details?.causes ?? []).flatMap(({ field }) => field ?? []);
  return fields.length > 0
    ? `Correct ${fields.join(', ')} of the object.`
    : 'Correct the object or the request as described in the message.';
};

const unauthorizedRemedy =
  'Renew the credentials: the token or client certificate of the kubeconfig or ServiceAccount is expired, revoked or belongs to another cluster.';
const throttledRemedy =
  'No immediate action needed: the request is retried. If this continues, find the client that overloads the API server (API Priority and Fairness).';
const serverErrorRemedy =
  'Check the log of the API server, and the admission webhook or aggregated API named in the message; the request is retried.';
