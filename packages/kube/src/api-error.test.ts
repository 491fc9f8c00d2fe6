import { describe, expect, test } from 'vitest';
import { apiError, parseStatus } from './api-error.ts';
import type { VerbTarget } from './request-path.ts';
import { nodes, pods } from './types/core.ts';
import type { StatusReply } from './types/object.ts';
import { deployments } from './types/workloads.ts';

const status = (code: number, reason: string, message: string, details: StatusReply['details'] = {}): StatusReply => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason,
  message,
  details,
});
const getNode: VerbTarget = { verb: 'get', resource: nodes, name: 'n' };

describe('each refusal has its code', () => {
  test.each([
    [400, 'BadRequest', 'KubeInvalid'],
    [401, 'Unauthorized', 'KubeUnauthorized'],
    [405, 'MethodNotAllowed', 'KubeInvalid'],
    [409, 'AlreadyExists', 'KubeAlreadyExists'],
    [409, 'Conflict', 'KubeConflict'],
    [410, 'Expired', 'KubeGone'],
    [422, 'Invalid', 'KubeInvalid'],
    [429, 'TooManyRequests', 'KubeThrottled'],
    [500, 'InternalError', 'KubeServerError'],
    [503, 'ServiceUnavailable', 'KubeServerError'],
    [504, 'Timeout', 'KubeServerError'],
  ])('%i %s is %s', (code, reason, expected) => {
    const error = apiError(getNode, code, status(code, reason, 'because'));
    expect(error).toMatchObject({ code: expected, message: 'cannot get nodes "n": because' });
    expect(error.remedy).not.toBe('');
  });
});

test('a version in the future is treated like an expired one: the list is read again', () => {
  const reply = status(504, 'Timeout', 'Too large resource version: 396, current: 220');
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const error = apiError(getNode, 504, { ...reply, details: { causes, retryAfterSeconds: 1 } });
  expect(error).toMatchObject({ code: 'KubeGone', retry: 'backoff' });
});

describe('forbidden', () => {
  test('a refusal of RBAC names the verb, the resource, the account and the rule to add', () => {
    const message =
      'pods "web" is forbidden: User "system:serviceaccount:vmware-system-vdo:operator" cannot patch resource "pods/status" in API group "" in the namespace "shop"';
    const call: VerbTarget = { verb: 'patch', resource: pods, namespace: 'shop', name: 'web', subresource: 'status' };
    const error = apiError(call, 403, status(403, 'Forbidden', message));
    expect(error.code).toBe('KubeForbidden');
    expect(error.retry).toBe('on-change');
    expect(error.remedy).toBe(
      'Add this rule to a ClusterRole, or a Role in namespace "shop", that is bound to ServiceAccount "operator" in namespace "vmware-system-vdo":\n- apiGroups: [""]\n  resources: ["pods/status"]\n  verbs: ["patch"]',
    );
    expect(error.details['user']).toBe('system:serviceaccount:vmware-system-vdo:operator');
  });

  test('without a message the rule is taken from the request', () => {
    const error = apiError({ verb: 'list', resource: deployments }, 403, undefined);
    expect(error.remedy).toContain('- apiGroups: ["apps"]\n  resources: ["deployments"]\n  verbs: ["list"]');
  });

  test('a refusal by admission does not suggest an RBAC rule', () => {
    const message = 'pods "web" is forbidden: violates PodSecurity "restricted:latest": privileged';
    const error = apiError({ verb: 'create', resource: pods, namespace: 'a' }, 403, status(403, 'Forbidden', message));
    expect(error.remedy).toContain('admission');
    expect(error.remedy).not.toContain('apiGroups');
  });

  test('a namespace that is being deleted is a temporary failure', () => {
    const reply = status(403, 'Forbidden', 'unable to create', { causes: [{ reason: 'NamespaceTerminating' }] });
    expect(apiError({ verb: 'create', resource: pods, namespace: 'a' }, 403, reply).retry).toBe('backoff');
  });
});

describe('not found', () => {
  test('names the missing object, which may be another one than the requested one', () => {
    const reply = status(404, 'NotFound', 'namespaces "a" not found', { name: 'a', kind: 'namespaces' });
    const error = apiError({ verb: 'create', resource: pods, namespace: 'a' }, 404, reply);
    expect(error).toMatchObject({ code: 'KubeNotFound' });
    expect(error.remedy).toContain('namespaces "a"');
  });

  test.each([
    ['a page that is no Status', undefined],
    ['a Status without an object', status(404, 'NotFound', 'the server could not find the requested resource')],
  ])('%s means that the kind is not served', (_, reply) => {
    const error = apiError({ verb: 'list', resource: deployments }, 404, reply);
    expect(error).toMatchObject({ code: 'KubeResourceMissing', retry: 'on-change' });
    expect(error.message).toContain('apps/v1 Deployment');
  });
});

test('a conflict of field managers names the managers and the fields', () => {
  const causes = [
    { reason: 'FieldManagerConflict', message: 'conflict with "kubectl" using apps/v1', field: '.spec.replicas' },
    { reason: 'FieldManagerConflict', message: 'conflict with "helm"', field: '.spec.template.spec.hostNetwork' },
  ];
  const reply = status(409, 'Conflict', 'Apply failed with 2 conflicts', { causes });
  const error = apiError({ verb: 'patch', resource: deployments, namespace: 'a', name: 'b' }, 409, reply);
  expect(error.code).toBe('KubeFieldConflict');
  expect(error.details).toMatchObject({
    managers: ['kubectl', 'helm'],
    fields: ['.spec.replicas', '.spec.template.spec.hostNetwork'],
  });
  expect(error.remedy).toContain('"kubectl" and "helm"');
});

test('an invalid object names its fields', () => {
  const reply = status(422, 'Invalid', 'x is invalid', {
    causes: [{ field: 'spec.replicas', reason: 'FieldValueInvalid' }],
  });
  expect(apiError(getNode, 422, reply).remedy).toBe('Correct spec.replicas of the object.');
});

test.each(['', 'not json', '{"kind":"Node"}', 'null'])('%j is no Status', (body) => {
  expect(parseStatus(body)).toBeUndefined();
});
