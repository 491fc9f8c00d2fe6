import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { ClusterRole, RoleBinding } from '@vdo/kube/types/cluster';
import type { KubeObject } from '@vdo/kube/types/object';
import { describe, expect, it } from 'vitest';
import { loadEmbeddedMatrix } from '../embedded-matrix.ts';
import { renderDrivers } from './render-drivers.ts';
import { renderOperator } from './render-operator.ts';

const objects = renderOperator({ version: '0.1.0', image: { repository: 'vdo/vdo', tag: '0.1.0' } });
const pluralOf = (kind: string): string => (kind === 'StorageClass' ? 'storageclasses' : `${kind.toLowerCase()}s`);
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
  const { releases } = loadEmbeddedMatrix();
  const spec = vsphereDriversSpec.parse({
    distribution: 'Native',
    vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }],
    cpi: {},
    csi: { storageClasses: [{ name: 'a' }] },
  });
  const native = (driver: string) =>
    releases.find((release) => release.driver === driver && release.distribution === 'Native');
  const [cpi, csi] = [native('cpi'), native('csi')];
  const rendered = renderDrivers({ spec, releases: { ...(cpi && { cpi }), ...(csi && { csi }) }, accounts: [] });

  it('may apply each object that it renders, and remove each but the namespaces', () => {
    expect(rendered.length).toBeGreaterThan(20);
    for (const verb of ['get', 'create', 'patch']) {
      const missing = rendered
        .filter((object) => !allowed(verb, object))
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(missing, verb).toEqual([]);
    }
    const kept = rendered
      .filter((object) => !allowed('delete', object))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(kept).toEqual(['Namespace vmware-system-vdo', 'Namespace vmware-system-csi']);
  });

  it('may give away exactly the roles of the drivers', () => {
    const given = rendered.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
    for (const verb of ['escalate', 'bind']) expect(given.filter((object) => !allowed(verb, object))).toEqual([]);
    const granting = roles
      .flatMap(({ rules }) => rules ?? [])
      .filter(({ verbs }) => verbs.includes('escalate') || verbs.includes('bind'));
    expect(granting.flatMap(({ resourceNames }) => resourceNames ?? ['any']).sort()).toEqual(
      given.map(({ metadata }) => metadata.name).sort(),
    );
  });

  it('has no wildcard, and writes one Secret only', () => {
    const rules = roles.flatMap((role) => role.rules ?? []);
    expect(JSON.stringify(rules)).not.toContain('*');
    const writes = rules.filter(({ resources, verbs }) => resources?.includes('secrets') && verbs.includes('patch'));
    expect(writes.map(({ resourceNames }) => resourceNames)).toEqual([['vsphere-credentials']]);
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
    for (const { subjects } of bindings)
      expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'vdo-operator', namespace: 'vmware-system-vdo' }]);
  });
});
