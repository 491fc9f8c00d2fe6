import type { ClusterRole, RoleBinding } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { describe, expect, it } from 'vitest';
import { worlds } from '../../testing/rendered-worlds.ts';
import { bindingNames, driverRoleLabel } from '../roles/driver-role.ts';
import { driverRoles } from '../roles/driver-roles.ts';
import { renderOperator } from './render-operator.ts';

const objects = renderOperator({ version: '0.1.0', image: { repository: 'vdo/vdo', tag: '0.1.0' } });
const pluralOf = (kind: string): string => {
  const singular = kind.toLowerCase();
  if (singular.endsWith('class')) return `${singular}es`;
  return singular.endsWith('policy') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
};
/** The permissions of the accounts in the operator's own manifests; the roles of the drivers are only there to be bound. */
const roles = objects.filter(
  ({ kind, metadata }) => /Role$/.test(kind) && metadata.labels?.[driverRoleLabel] === undefined,
) as readonly (ClusterRole & KubeObject)[];

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

  it('may apply each object that it renders in any configuration', () => {
    expect(named(rendered).length).toBeGreaterThan(60);
    for (const verb of ['get', 'create', 'patch'])
      expect(named(rendered.filter((object) => !allowed(verb, object))), verb).toEqual([]);
  });

  it('may delete each object except those that outlive the drivers', () => {
    expect(named(rendered.filter((object) => !allowed('delete', object)))).toEqual([
      'CustomResourceDefinition volumesnapshotclasses.snapshot.storage.k8s.io',
      'CustomResourceDefinition volumesnapshotcontents.snapshot.storage.k8s.io',
      'CustomResourceDefinition volumesnapshots.snapshot.storage.k8s.io',
      'Namespace vmware-system-csi',
      'Namespace vmware-system-vdo',
    ]);
  });

  const ruled = (namespace: string | undefined) =>
    roles.filter(({ metadata }) => metadata.namespace === namespace).flatMap(({ rules }) => rules ?? []);
  const bindableIn = (namespace: string | undefined) =>
    ruled(namespace)
      .filter(({ verbs }) => verbs.includes('bind'))
      .flatMap(({ resourceNames }) => resourceNames ?? ['any']);

  it('writes no role and escalates no permission', () => {
    const all = roles.flatMap(({ rules }) => rules ?? []);
    const onRoles = all.filter(({ resources }) => resources?.some((one) => /^(cluster)?roles$/.test(one)));
    expect([...new Set(onRoles.flatMap(({ verbs }) => verbs))].sort()).toEqual([
      'bind',
      'delete',
      'get',
      'list',
      'watch',
    ]);
    expect(rendered.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')).toEqual([]);
  });

  it.each([undefined, 'vmware-system-vdo', 'kube-system', 'vmware-system-csi'])(
    'may bind in %s exactly the roles that are meant for it, by their names',
    (namespace) => {
      const meant = driverRoles.filter(
        ({ optional, namespaces }) =>
          !optional && (namespace === undefined ? namespaces === undefined : namespaces?.includes(namespace)),
      );
      // A role of Kubernetes that lets a server check its callers.
      const others = namespace === 'kube-system' ? ['extension-apiserver-authentication-reader'] : [];
      expect([...bindableIn(namespace)].sort()).toEqual([...meant.map(({ name }) => name), ...others].sort());
      const written = ruled(namespace)
        .filter(({ resources, verbs }) => resources?.some((one) => one.endsWith('bindings')) && verbs.includes('patch'))
        .filter(({ apiGroups }) => apiGroups?.includes('rbac.authorization.k8s.io'))
        .flatMap(({ resourceNames }) => resourceNames ?? ['any']);
      const reader = namespace === 'kube-system' ? ['servicecatalog.k8s.io:apiserver-authentication-reader'] : [];
      expect([...written].sort()).toEqual([...meant.flatMap(bindingNames), ...reader].sort());
    },
  );

  it('can bind nothing in the whole cluster that reads Secrets, creates pods or grants permissions', () => {
    const wide = driverRoles.filter(({ name }) => bindableIn(undefined).includes(name)).flatMap(({ rules }) => rules);
    const mighty = wide.filter(({ resources = [], verbs }) =>
      resources.some(
        (one) =>
          /^(secrets|serviceaccounts|pods\/.*|nodes\/proxy|(cluster)?role.*)$/.test(one) ||
          (one === 'pods' && verbs.includes('create')),
      ),
    );
    expect(mighty).toEqual([]);
    expect(JSON.stringify(wide)).not.toContain('*');
  });

  it('proposes pods only in its own namespace', () => {
    const makers = roles.filter(({ rules = [] }) =>
      rules.some(({ resources, verbs }) => resources?.includes('pods') && verbs.includes('create')),
    );
    expect(makers.map(({ metadata }) => metadata.namespace)).toEqual(['vmware-system-vdo']);
  });

  it('has no wildcard, and writes only the Secrets of the drivers', () => {
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
