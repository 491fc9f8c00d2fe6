import { describe, expect, test } from 'vitest';
import { describeTarget, queryString, targetPath } from './request-path.ts';
import { nodes, pods } from './types/core.ts';
import { deployments } from './types/workloads.ts';

describe('targetPath', () => {
  test.each([
    ['a cluster-scoped collection', { resource: nodes }, '/api/v1/nodes'],
    ['a namespace is ignored where the resource has none', { resource: nodes, namespace: 'a' }, '/api/v1/nodes'],
    ['all namespaces', { resource: pods }, '/api/v1/pods'],
    ['one object', { resource: pods, namespace: 'a', name: 'b' }, '/api/v1/namespaces/a/pods/b'],
    [
      'a subresource of a named group',
      { resource: deployments, namespace: 'a', name: 'b', subresource: 'status' },
      '/apis/apps/v1/namespaces/a/deployments/b/status',
    ],
    ['names are escaped', { resource: nodes, name: 'system:x y' }, '/api/v1/nodes/system%3Ax%20y'],
  ])('%s', (_, target, expected) => {
    expect(targetPath(target)).toBe(expected);
  });
});

test('a query leaves out missing values and escapes the rest', () => {
  expect(queryString({ limit: 5, labelSelector: 'a=b,c!=d', continue: '', watch: undefined })).toBe(
    '?limit=5&labelSelector=a%3Db%2Cc%21%3Dd',
  );
  expect(queryString({})).toBe('');
});

test('a target is written as kubectl writes it', () => {
  expect(describeTarget({ resource: deployments, namespace: 'shop', name: 'web', subresource: 'scale' })).toBe(
    'deployments.apps/scale "web" in namespace "shop"',
  );
  expect(describeTarget({ resource: nodes })).toBe('nodes');
});
