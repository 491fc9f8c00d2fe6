import { VdoError } from '@vdo/base/vdo-error';
import { type Endpoint, statusFailure } from '../soap/vcenter-failure.ts';

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Single sign-on refused the REST login. */
export const loginRejected = ({ server }: Endpoint): VdoError =>
  new VdoError({
    code: 'VCenterLoginRejected',
    message: `vCenter ${server} rejected the user name or password (REST session)`,
    remedy:
      'Correct username (user@domain) and password in the credentials Secret. If they are right, the account may be locked: unlock it in vCenter single sign-on.',
  });

interface ErrorBody {
  readonly messages?: unknown;
  readonly value?: { readonly messages?: unknown };
}

/** vCenter's own message about an error; undefined if the reply is from a proxy or from a crashed server. */
const bodyOf = (text: string): ErrorBody | undefined => {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined;
  } catch {
    return undefined;
  }
};

// Error bodies come in two shapes: {"messages":[…]} and {"value":{"messages":[…]}}.
const messageOf = (body: ErrorBody | undefined): string => {
  const messages = body?.messages ?? body?.value?.messages;
  const [first] = Array.isArray(messages)
    ? (messages as readonly ({ readonly default_message?: unknown } | null)[])
    : [];
  return typeof first?.default_message === 'string' ? `: ${first.default_message}` : '';
};

/** Converts an unsuccessful REST reply to a VdoError. */
export const restFailure = (endpoint: Endpoint, call: string, { status, text }: Reply): VdoError => {
  const { server } = endpoint;
  const body = bodyOf(text);
  const message = messageOf(body);
  const details = { status };
  if (status === 401)
    return new VdoError({
      code: 'VCenterSessionLost',
      message: `vCenter ${server} does not accept the REST session (${call})${message}`,
      remedy: 'No action needed: a new session is opened automatically.',
      details,
    });
  if (status === 403)
    return new VdoError({
      code: 'VCenterPermissionDenied',
      message: `vCenter ${server} refused ${call}${message}`,
      remedy:
        'Grant the user of the credentials Secret read access to tags. A role with System.Read at the root is sufficient.',
      details,
    });
  if (status === 404)
    return new VdoError({
      code: 'VCenterObjectNotFound',
      message: `vCenter ${server} does not have the object that ${call} requested${message}`,
      remedy: 'The object was deleted meanwhile. Change the configuration or object that refers to it.',
      details,
    });
  if (status === 500 && !body)
    return new VdoError({
      code: 'VCenterReplyMalformed',
      message: `vCenter ${server} answered ${call} with HTTP 500 and no JSON, so it is not known whether ${call} took effect`,
      remedy:
        'Check the logs of the vSphere API service (vapi-endpoint) on vCenter, or of a proxy in front of it. The request is retried automatically.',
      details,
    });
  if (status === 400 || status === 500)
    return new VdoError({
      code: 'VCenterFault',
      message: `vCenter ${server} failed ${call} with HTTP ${status}${message}`,
      remedy:
        'Check the logs of the vSphere API service (vapi-endpoint) on vCenter. The request is retried automatically.',
      details,
    });
  return statusFailure(endpoint, status, call);
};
