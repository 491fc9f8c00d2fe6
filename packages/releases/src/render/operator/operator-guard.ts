import { labelKeys, names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../shared/admission-policies.ts';
import { type DriverRights, driverRights } from './driver-rights.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const labels = { 'app.kubernetes.io/name': names.operator, [labelKeys.partOf]: 'vdo' } as const;
const account = `system:serviceaccount:${names.namespace}:${names.operator}`;

/** Runs what is to be a driver, and has no rights. */
const probeAccount = `${names.namespace}/${names.imageProbe}`;

type Rules = ValidatingAdmissionPolicy['spec']['matchConstraints']['resourceRules'];
interface Guard {
  readonly name: string;
  readonly resourceRules: Rules;
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

const writes = ['CREATE', 'UPDATE'] as const;
const rulesFor = (group: string, resources: readonly string[], operations: readonly string[] = writes): Rules => [
  { apiGroups: [group], apiVersions: ['*'], operations, resources },
];
const list = (texts: readonly string[]): string => `[${texts.map((text) => `'${text}'`).join(', ')}]`;
const rbacGroup = 'rbac.authorization.k8s.io';
const namespace = "(has(object.metadata.namespace) ? object.metadata.namespace : '')";
const own = `${namespace} + '/' + object.metadata.name + ' '`;

const guards = ({ granted, bound, accounts }: DriverRights): readonly Guard[] => [
  {
    name: 'roles',
    resourceRules: rulesFor(rbacGroup, ['roles', 'clusterroles']),
    validations: [
      {
        expression: `!has(object.aggregationRule) && (!has(object.rules) || object.rules.all(r, !has(r.nonResourceURLs) && has(r.apiGroups) && has(r.resources) && r.apiGroups.all(g, r.resources.all(s, r.verbs.all(v, (${own} + g + '/' + s + ' ' + v) in ${list(granted)})))))`,
        message: 'the operator may give a role only the rights that a driver of a known layout needs',
      },
    ],
  },
  {
    name: 'bindings',
    resourceRules: rulesFor(rbacGroup, ['rolebindings', 'clusterrolebindings']),
    validations: [
      {
        expression: `has(object.subjects) && object.subjects.all(s, s.kind == 'ServiceAccount' && (${own} + s.namespace + '/' + s.name) in ${list(bound)})`,
        message: 'the operator may bind a role only to the account of the driver that it is for',
      },
    ],
  },
  {
    name: 'workloads',
    resourceRules: rulesFor('apps', ['deployments', 'daemonsets', 'statefulsets', 'replicasets']),
    validations: [
      {
        expression: `has(object.spec.template.spec.serviceAccountName) && (${namespace} + '/' + object.spec.template.spec.serviceAccountName) in ${list([...accounts, probeAccount])}`,
        message: 'the operator may run pods only under the accounts of the drivers',
      },
    ],
  },
  {
    name: 'pods',
    resourceRules: rulesFor('', ['pods'], ['CREATE']),
    validations: [
      { expression: 'request.dryRun', message: 'the operator may propose pods as a dry run, and create none' },
    ],
  },
];

/**
 * Holds the operator's account to what it is for, whatever happens to it. To give the drivers their rights it has the verb
 * `escalate` on their roles, and in kube-system it writes a workload: by RBAC alone either would make it an administrator.
 * Kubernetes 1.30 and later. The operator has no right to change these policies.
 */
export const renderOperatorGuard = (): readonly KubeObject[] =>
  guards(driverRights()).flatMap(({ name, resourceRules, validations }) => {
    const metadata = { name: `${names.operator}-${name}`, labels };
    const policy: ValidatingAdmissionPolicy = {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules },
        matchConditions: [{ name: 'the-operator', expression: `request.userInfo.username == '${account}'` }],
        validations: validations.map((validation) => ({ ...validation, reason: 'Forbidden' })),
      },
    };
    const binding: ValidatingAdmissionPolicyBinding = {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: metadata.name, validationActions: ['Deny'] },
    };
    return [policy, binding];
  });
