import { describe, expect, it } from 'vitest';
import { foreignManagerOf } from './foreign-manager.ts';
import { mergePatch } from './status-patch.ts';
import { versionFromImages } from './version-from-images.ts';

describe('the version of a driver without labels', () => {
  it.each([
    ['registry.k8s.io/csi-vsphere/driver:v3.3.1', 'Upstream', '3.3.1'],
    ['gcr.io/cloud-provider-vsphere/csi/release/driver:v2.7.0', 'Upstream', '2.7.0'],
    ['registry.k8s.io/cloud-pv-vsphere/cloud-provider-vsphere:v1.31.0', 'Upstream', '1.31.0'],
    ['gcr.io/cloud-provider-vsphere/cpi/release/manager:v1.28.1', 'Upstream', '1.28.1'],
    ['mirror.example:5000/path/driver:v3.3.1@sha256:00', 'Upstream', '3.3.1'],
    ['mirror.example:5000/vdo:0.2.0', 'Native', '0.2.0'],
    ['registry.k8s.io/csi-vsphere/driver@sha256:00', 'Upstream', undefined],
    ['registry.k8s.io/csi-vsphere/driver:latest', 'Upstream', undefined],
  ])('is read from %s', (image, distribution, version) => {
    expect(versionFromImages(['registry.k8s.io/sig-storage/csi-attacher:v4.8.0', image])).toEqual({
      distribution,
      ...(version ? { version } : {}),
    });
  });
});

describe('the manager of an object', () => {
  it.each([
    ['Helm', { annotations: { 'meta.helm.sh/release-name': 'csi' } }],
    ['Helm', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }],
    ['Argo CD', { annotations: { 'argocd.argoproj.io/tracking-id': 'x' } }],
    ['Argo CD', { managedFields: [{ manager: 'argocd-controller' }] }],
    ['Flux', { labels: { 'kustomize.toolkit.fluxcd.io/name': 'x' } }],
    ['OLM', { labels: { 'olm.owner': 'x' } }],
    [undefined, { labels: { 'app.kubernetes.io/managed-by': 'vdo' }, managedFields: [{ manager: 'kubectl' }] }],
  ])('%s is known by its marks', (manager, metadata) => {
    expect(foreignManagerOf(metadata)).toBe(manager);
  });
});

describe('a patch of the status', () => {
  it.each([
    [
      'is nothing if only the order of keys differs',
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
      undefined,
    ],
    ['holds what changed', { a: 1, b: { c: 2, d: 3 } }, { a: 1, b: { c: 4, d: 3 } }, { b: { c: 4 } }],
    ['takes away what is gone', { a: 1, b: { c: 2 } }, { b: {} }, { a: null, b: { c: null } }],
    ['replaces lists whole', { a: [1, 2] }, { a: [1] }, { a: [1] }],
    ['ignores what is undefined', { a: 1 }, { a: 1, b: undefined }, undefined],
  ])('%s', (_name, before, after, expected) => {
    expect(mergePatch(before, after)).toEqual(expected);
  });
});
