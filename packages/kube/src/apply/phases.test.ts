import { describe, expect, test } from 'vitest';
import type { ObjectRef } from './object-ref.ts';
import { inApplyOrder, isKept } from './phases.ts';

const ref = (apiVersion: string, kind: string): ObjectRef => ({ apiVersion, kind, name: 'it' });

test('objects are applied in an order in which each finds what it needs', () => {
  const kinds = [
    ref('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
    ref('vdo.vmware.com/v1beta1', 'VSphereDrivers'),
    ref('apps/v1', 'DaemonSet'),
    ref('v1', 'Service'),
    ref('storage.k8s.io/v1', 'CSIDriver'),
    ref('v1', 'Secret'),
    ref('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'),
    ref('v1', 'ServiceAccount'),
    ref('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
    ref('v1', 'Namespace'),
  ];
  expect(inApplyOrder(kinds, (each) => each).map(({ kind }) => kind)).toEqual([
    'Namespace',
    'CustomResourceDefinition',
    'ClusterRoleBinding',
    'ServiceAccount',
    'Secret',
    'CSIDriver',
    'Service',
    'DaemonSet',
    'VSphereDrivers',
    'ValidatingWebhookConfiguration',
  ]);
});

describe('objects on which data depends are never deleted', () => {
  test.each([
    ['v1', 'Namespace', true],
    ['v1', 'PersistentVolume', true],
    ['v1', 'PersistentVolumeClaim', true],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', true],
    ['snapshot.storage.k8s.io/v1', 'VolumeSnapshotContent', true],
    ['snapshot.storage.k8s.io/v1', 'VolumeSnapshotClass', true],
    ['v1', 'Secret', false],
    ['apps/v1', 'Deployment', false],
  ])('%s %s', (apiVersion, kind, kept) => {
    expect(isKept(ref(apiVersion, kind))).toBe(kept);
  });
});
