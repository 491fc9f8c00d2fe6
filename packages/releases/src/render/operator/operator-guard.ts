import { labelKeys, names } from '@vdo/config/names';
import type { KubeObject } from '@vdo/kube/types/object';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../shared/admission-policies.ts';
import { type DriverRights, driverRights } from './driver-rights.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const labels = { 'app.kubernetes.io/name': names.operator, [labelKeys.partOf]: 'vdo' } as const;
const account = `system:serviceaccount:${names.namespace}:${names.operator}`;

/** Runs the images of future drivers, and has no permissions. */
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

const guards = ({ bound, accounts }: DriverRights): readonly Guard[] => [
  {
    name: 'bindings',
    resourceRules: rulesFor(rbacGroup, ['rolebindings', 'clusterrolebindings']),
    validations: [
      {
        expression: `has(object.subjects) && object.subjects.all(s, s.kind == 'ServiceAccount' && (${own} + s.namespace + '/' + s.name) in ${list(bound)})`,
        message: 'the operator may bind a role only to the ServiceAccount of its driver',
      },
      {
        expression: `!object.metadata.name.startsWith('vdo:') || (object.metadata.name + ':').startsWith(object.roleRef.name + ':')`,
        message: 'a binding of the operator must have the name of the role that it grants',
      },
    ],
  },
  {
    name: 'workloads',
    resourceRules: rulesFor('apps', ['deployments', 'daemonsets', 'statefulsets', 'replicasets']),
    validations: [
      {
        expression: `has(object.spec.template.spec.serviceAccountName) && (${namespace} + '/' + object.spec.template.spec.serviceAccountName) in ${list([...accounts, probeAccount])}`,
        message: 'the operator may run pods only with the ServiceAccounts of the drivers',
      },
    ],
  },
  {
    name: 'pods',
    resourceRules: rulesFor('', ['pods'], ['CREATE']),
    validations: [{ expression: 'request.dryRun', message: 'the operator may create pods only as a dry run' }],
  },
];

/**
 * Limits the operator's account to its purpose, even if it is compromised. RBAC limits which roles it may bind, but not to whom; and which
 * workloads it may write, but not with which account they run: in kube-system that would make it an administrator.
 * Kubernetes 1.30 and later. The operator has no permission to change these policies.
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
