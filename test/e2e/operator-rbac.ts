import type { PolicyRule } from '@vdo/kube/types/cluster';
import type { AuditEvent } from '../harness/control-plane.ts';

/** One right: a verb on a resource, in a namespace or everywhere, on a name or on all. */
export interface Right {
  readonly namespace?: string;
  readonly group: string;
  /** `plural` or `plural/subresource`. */
  readonly resource: string;
  readonly verb: string;
  readonly name?: string;
}

export interface GrantedRules {
  /** Absent for a ClusterRole bound in the whole cluster. */
  readonly namespace?: string;
  readonly rules: readonly PolicyRule[];
}

interface Reference {
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The single rights that rules consist of. */
export const rightsOf = (granted: readonly GrantedRules[]): readonly Right[] =>
  granted.flatMap(({ namespace, rules }) =>
    rules.flatMap(({ apiGroups = [], resources = [], verbs, resourceNames = [''] }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.flatMap((verb) =>
            resourceNames.map((name) => ({
              ...(namespace ? { namespace } : {}),
              group,
              resource,
              verb,
              ...(name === '' ? {} : { name }),
            })),
          ),
        ),
      ),
    ),
  );

// Server-side apply that makes an object is a create as well; whoever writes a role escalates, whoever writes a binding binds.
const impliedVerbs = (event: AuditEvent): readonly string[] => {
  const made = event.verb === 'patch' && event.responseStatus?.code === 201;
  return [event.verb, ...(made ? ['create'] : [])];
};

const isWrite = ({ verb }: AuditEvent) => verb === 'patch' || verb === 'create' || verb === 'update';

/** The roles that come with the operator are ClusterRoles wherever they are bound; bindings of several accounts end in theirs. */
const boundBy = (binding = ''): Pick<Right, 'resource' | 'verb' | 'name'> => ({
  resource: 'clusterroles',
  verb: 'bind',
  name: binding.split(':').slice(0, 3).join(':'),
});

/** The rights that requests have used. */
export const usedRights = (events: readonly AuditEvent[]): readonly Right[] =>
  events.flatMap((event) => {
    const reference = (event.objectRef ?? {}) as Reference;
    const { apiGroup: group = '', namespace, name, subresource } = reference;
    const resource = subresource ? `${reference.resource}/${subresource}` : (reference.resource ?? '');
    const place = { ...(namespace ? { namespace } : {}), ...(name ? { name } : {}) };
    const direct = impliedVerbs(event).map((verb) => ({ ...place, group, resource, verb }));
    if (!isWrite(event) || !/^(cluster)?role(binding)?s$/.test(resource)) return direct;
    const isRole = !resource.endsWith('bindings');
    return [
      ...direct,
      isRole ? { ...place, group, resource, verb: 'escalate' } : { ...place, ...boundBy(name), group },
    ];
  });

/** Whether a right is what a request needed. */
export const covers = (right: Right, used: Right): boolean =>
  right.group === used.group &&
  right.resource === used.resource &&
  right.verb === used.verb &&
  (right.namespace === undefined || right.namespace === used.namespace) &&
  (right.name === undefined || right.name === used.name);

export const describeRight = ({ namespace, group, resource, verb, name }: Right): string =>
  `${verb} ${resource}${group ? `.${group}` : ''}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;
