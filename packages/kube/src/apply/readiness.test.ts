import { describe, expect, test } from 'vitest';
import type { AnyObject } from '../types/object.ts';
import { readinessOf } from './readiness.ts';

const object = (kind: string, status: object, spec: object = {}, metadata: object = { generation: 2 }): AnyObject => {
  const [apiVersion = 'v1', name = kind] = kind.includes(' ') ? kind.split(' ') : ['v1', kind];
  return { apiVersion, kind: name, metadata: { name: 'it', ...metadata }, spec, status };
};
const seen = { observedGeneration: 2 };
const condition = (type: string, status: string, reason = '', message = '') => ({
  conditions: [{ type, status, reason, message }],
});

describe('readiness', () => {
  test.each([
    ['a Deployment nobody has seen', 'apps/v1 Deployment', {}, {}, 'InProgress', 'is not observed yet'],
    [
      'an older generation',
      'apps/v1 Deployment',
      { observedGeneration: 1 },
      {},
      'InProgress',
      'generation 2 is not observed yet, only generation 1',
    ],
    [
      'too few updated',
      'apps/v1 Deployment',
      { ...seen, replicas: 2, updatedReplicas: 1 },
      { replicas: 2 },
      'InProgress',
      '1 of 2 are updated',
    ],
    [
      'old ones left',
      'apps/v1 Deployment',
      { ...seen, replicas: 3, updatedReplicas: 2 },
      { replicas: 2 },
      'InProgress',
      '2 of 3 are of the new version',
    ],
    [
      'too few available',
      'apps/v1 Deployment',
      { ...seen, replicas: 1, updatedReplicas: 1 },
      {},
      'InProgress',
      '0 of 1 are available',
    ],
    [
      'all there',
      'apps/v1 Deployment',
      { ...seen, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
      {},
      'Current',
      '',
    ],
    ['none wanted', 'apps/v1 Deployment', seen, { replicas: 0 }, 'Current', ''],
    [
      'a rollout that is stuck',
      'apps/v1 Deployment',
      { ...seen, ...condition('Progressing', 'False', 'ProgressDeadlineExceeded', 'timed out') },
      {},
      'Failed',
      'timed out',
    ],
    [
      'a DaemonSet on its way',
      'apps/v1 DaemonSet',
      { ...seen, desiredNumberScheduled: 3, currentNumberScheduled: 3, updatedNumberScheduled: 2 },
      {},
      'InProgress',
      '2 of 3 are updated',
    ],
    [
      'a DaemonSet that is ready',
      'apps/v1 DaemonSet',
      {
        ...seen,
        desiredNumberScheduled: 1,
        currentNumberScheduled: 1,
        updatedNumberScheduled: 1,
        numberAvailable: 1,
        numberReady: 1,
      },
      {},
      'Current',
      '',
    ],
    ['a DaemonSet without nodes', 'apps/v1 DaemonSet', { ...seen, desiredNumberScheduled: 0 }, {}, 'Current', ''],
    [
      'a StatefulSet on its way',
      'apps/v1 StatefulSet',
      { ...seen, replicas: 1 },
      { replicas: 2 },
      'InProgress',
      '1 of 2 exist',
    ],
    [
      'a StatefulSet with a partition',
      'apps/v1 StatefulSet',
      { ...seen, replicas: 2, readyReplicas: 2, updatedReplicas: 1 },
      { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } },
      'Current',
      '',
    ],
    [
      'a Job that failed',
      'batch/v1 Job',
      condition('Failed', 'True', 'BackoffLimitExceeded'),
      {},
      'Failed',
      'BackoffLimitExceeded',
    ],
    ['a Job that runs', 'batch/v1 Job', { startTime: 'x' }, {}, 'Current', ''],
    ['a Pod that waits', 'Pod', { phase: 'Pending' }, {}, 'InProgress', 'is Pending and not ready'],
    ['a Pod that is ready', 'Pod', { phase: 'Running', ...condition('Ready', 'True') }, {}, 'Current', ''],
    ['a claim that waits', 'PersistentVolumeClaim', { phase: 'Pending' }, {}, 'InProgress', 'is Pending, not Bound'],
    [
      'a new definition',
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      {},
      {},
      'InProgress',
      'is not established yet',
    ],
    [
      'a definition with a name that is taken',
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      condition('NamesAccepted', 'False', 'Conflict', 'taken'),
      {},
      'Failed',
      'taken',
    ],
    ['a ConfigMap', 'ConfigMap', {}, {}, 'Current', ''],
    [
      'a custom resource that is stalled',
      'x.test/v1 Thing',
      { ...seen, ...condition('Stalled', 'True', 'Broken', 'no') },
      {},
      'Failed',
      'no',
    ],
    [
      'a custom resource that is not ready',
      'x.test/v1 Thing',
      { ...seen, ...condition('Ready', 'False', 'Waiting') },
      {},
      'InProgress',
      'Waiting',
    ],
    [
      'a custom resource that is reconciling',
      'x.test/v1 Thing',
      { ...seen, ...condition('Reconciling', 'True', 'Busy') },
      {},
      'InProgress',
      'Busy',
    ],
  ])('%s', (_, kind, status, spec, state, message) => {
    expect(readinessOf(object(kind, status, spec))).toEqual({ state, message });
  });

  test('an object that is being deleted is neither ready nor in progress', () => {
    const dying = object('ConfigMap', {}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(readinessOf(dying).state).toBe('Terminating');
  });
});
