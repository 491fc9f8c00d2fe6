import type { RetryAdvice } from '@vdo/base/error-codes';
import type { VerbTarget } from './request-path.ts';
import type { StatusReply } from './types/object.ts';

interface ForbiddenAdvice {
  readonly remedy: string;
  readonly retry?: RetryAdvice;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What RBAC refused, according to its message; undefined if something else refused. */
interface Refusal {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  readonly group: string;
  readonly namespace?: string;
}

/** What to do about a 403: the rule to add for a refusal by RBAC, and whom to ask for a refusal by admission. */
export const forbiddenAdvice = (call: VerbTarget, reply: StatusReply | undefined): ForbiddenAdvice => {
  const causes = reply?.details?.causes ?? [];
  if (causes.some(({ reason }) => reason === 'NamespaceTerminating'))
    return {
      remedy: `Wait until namespace "${call.namespace ?? ''}" is deleted, then create it again.`,
      retry: 'backoff',
    };
  const refusal = parseRefusal(reply?.message ?? '');
  if (!refusal && reply?.message && reply.reason === 'Forbidden')
    return { remedy: 'Change the object, or the admission policy, quota or webhook named in the message.' };
  return roleAdvice(refusal ?? fromCall(call));
};

const fromCall = (call: VerbTarget): Refusal => ({
  user: '',
  verb: call.verb,
  resource: call.subresource ? `${call.resource.plural}/${call.subresource}` : call.resource.plural,
  group: call.resource.group,
  ...(call.resource.namespaced && call.namespace && { namespace: call.namespace }),
});

const parseRefusal = (message: string): Refusal | undefined => {
  const found = message.match(
    /User "([^"]{0,512})" cannot (\S{1,64}) resource "([^"]{0,256})" in API group "([^"]{0,256})"(?: in the namespace "([^"]{0,256})")?/,
  );
  if (!found) return undefined;
  const [, user = '', verb = '', resource = '', group = '', namespace] = found;
  return { user, verb, resource, group, ...(namespace && { namespace }) };
};

const roleAdvice = ({ user, verb, resource, group, namespace }: Refusal): ForbiddenAdvice => {
  const rule = `- apiGroups: ["${group}"]\n  resources: ["${resource}"]\n  verbs: ["${verb}"]`;
  const kind = namespace ? `a ClusterRole, or a Role in namespace "${namespace}",` : 'a ClusterRole';
  const subject = user === '' ? 'the user of this program' : subjectOf(user);
  return {
    remedy: `Add this rule to ${kind} that is bound to ${subject}:\n${rule}`,
    details: { ...(user !== '' && { user }), rule: { apiGroups: [group], resources: [resource], verbs: [verb] } },
  };
};

const subjectOf = (user: string): string => {
  const [, namespace, name] = user.match(/^system:serviceaccount:([^:]+):(.+)$/) ?? [];
  return namespace && name ? `ServiceAccount "${name}" in namespace "${namespace}"` : `user "${user}"`;
};
