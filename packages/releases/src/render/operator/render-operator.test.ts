import type { ClusterRole, RoleBinding } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { describe, expect, it } from 'vitest';
import { worlds } from '../../testing/rendered-worlds.ts';
import { renderOperator } from './render-operator.ts';

const objects = renderOperator({ version: '0.1.0', image: { repository: 'vdo/vdo', tag: '0.1.0' } });
const pluralOf = (kind: string): string => {
  const singular = kind.toLowerCase();
  if (singular.endsWith('class')) return `${singular}es`;
  return singular.endsWith('policy') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
};
const roles = objects.filter(({ kind }) => /Role$/.test(kind)) as readonly (ClusterRole & KubeObject)[];

const allowed = (verb: string, object: KubeObject): boolean => {
  const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
  return roles
    .filter(({ kind, metadata }) => kind === 'ClusterRole' || metadata.namespace === object.metadata.namespace)
    .flatMap(({ rules }) => rules ?? [])
    .some(
      ({ apiGroups, resources, verbs, resourceNames }) =>
        apiGroups?.includes(group) &&
        resources?.includes(pluralOf(object.kind)) &&
        verbs.includes(verb) &&
        (resourceNames === undefined || resourceNames.includes(object.metadata.name ?? '')),
    );
};

describe('renderOperator', () => {
  const rendered = worlds.flatMap(([, all]) => all);
  const named = (all: readonly KubeObject[]) =>
    [...new Set(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`))].sort();

  it('may apply each object that it renders in any world', () => {
    expect(named(rendered).length).toBeGreaterThan(60);
    for (const verb of ['get', 'create', 'patch'])
      expect(named(rendered.filter((object) => !allowed(verb, object))), verb).toEqual([]);
  });

  it('may remove each but what outlives the drivers', () => {
    expect(named(rendered.filter((object) => !allowed('delete', object)))).toEqual([
      'CustomResourceDefinition volumesnapshotclasses.snapshot.storage.k8s.io',
      'CustomResourceDefinition volumesnapshotcontents.snapshot.storage.k8s.io',
      'CustomResourceDefinition volumesnapshots.snapshot.storage.k8s.io',
      'Namespace vmware-system-csi',
      'Namespace vmware-system-vdo',
    ]);
  });

  it('may give away exactly the roles of the drivers', () => {
    const given = rendered.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
    const granting = roles
      .flatMap(({ rules }) => rules ?? [])
      .filter(({ verbs }) => verbs.includes('escalate') || verbs.includes('bind'));
    const grantable = granting.flatMap(({ resourceNames }) => resourceNames ?? ['any']);
    expect([...new Set(grantable)].sort()).toEqual(
      // The last one is a role of Kubernetes that lets a server check who calls; it is bound, never written.
      [...new Set(given.map(({ metadata }) => metadata.name)), 'extension-apiserver-authentication-reader'].sort(),
    );
  });

  it('has no wildcard, and writes the Secrets of the drivers only', () => {
    const rules = roles.flatMap((role) => role.rules ?? []);
    expect(JSON.stringify(rules)).not.toContain('*');
    const writes = rules.filter(({ resources, verbs }) => resources?.includes('secrets') && verbs.includes('patch'));
    expect(writes.flatMap(({ resourceNames }) => resourceNames ?? ['any']).sort()).toEqual([
      'vsphere-cloud-secret',
      'vsphere-config-secret',
      'vsphere-credentials',
      'vsphere-credentials-cpi',
      'vsphere-credentials-csi',
    ]);
    const clusterWide = roles.filter(({ kind }) => kind === 'ClusterRole').flatMap(({ rules: own }) => own ?? []);
    expect(clusterWide.filter(({ resources }) => resources?.includes('secrets'))).toEqual([]);
  });

  it('is not labelled as managed, so that an uninstall leaves it', () => {
    expect(objects.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/managed-by'] !== undefined)).toEqual(
      [],
    );
  });

  it('binds each role to its own account', () => {
    const bindings = objects.filter(({ kind }) =>
      kind.endsWith('Binding'),
    ) as readonly KubeObject[] as readonly RoleBinding[];
    expect(bindings).toHaveLength(roles.length);
    for (const { metadata, subjects } of bindings) {
      const isReader = ['vdo-metrics-reader', 'vdo-inventory-reader'].includes(metadata.name ?? '');
      const name = isReader ? 'vdo-metrics-reader' : 'vdo-operator';
      expect(subjects).toEqual([{ kind: 'ServiceAccount', name, namespace: 'vmware-system-vdo' }]);
    }
  });
});
