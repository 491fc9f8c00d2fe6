import { readdirSync, readFileSync } from 'node:fs';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import { operatorGrants } from '@vdo/releases/render/operator/operator-grants';
import {
  operatorClusterRules,
  operatorNamespaceRules,
  operatorPlaceRules,
} from '@vdo/releases/render/operator/operator-rbac';
import { driverRoles } from '@vdo/releases/render/roles/driver-roles';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = new URL('../../deploy/olm/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const csv = parse(read('bundle/manifests/vdo.clusterserviceversion.yaml'));

/** In kube-system alone; a bundle can bring no right there. */
const cloudSecrets = 'vdo:upstream-cpi-1:secrets';

describe('the OLM bundle', () => {
  it('offers examples that are accepted', () => {
    const examples = JSON.parse(csv.metadata.annotations['alm-examples']);
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) expect(() => parseVSphereDrivers(example)).not.toThrow();
  });

  it('owns the definitions that it brings', () => {
    const files = readdirSync(new URL('bundle/manifests/', folder)).filter((file) => !file.includes('clusterservice'));
    const brought = files
      .map((file) => parse(read(`bundle/manifests/${file}`)))
      .filter(({ kind }) => kind === 'CustomResourceDefinition');
    const owned = csv.spec.customresourcedefinitions.owned as { name: string; version: string; kind: string }[];
    expect(owned.map(({ name, version, kind }) => `${name} ${version} ${kind}`).sort()).toEqual(
      brought.map(({ metadata, spec }) => `${metadata.name} ${spec.versions[0].name} ${spec.names.kind}`).sort(),
    );
  });

  it('names only fields that the resource has', () => {
    const crd = parse(readFileSync(new URL('../crds/vdo.vmware.com_vspheredrivers.yaml', folder), 'utf8'));
    const schema = crd.spec.versions[0].schema.openAPIV3Schema.properties;
    const has = (root: unknown, path: string): boolean =>
      path.split(/\.|\[\d+\]\.?/).reduce<unknown>((at, key) => {
        const level = at as
          | { properties?: Record<string, unknown>; items?: { properties?: Record<string, unknown> } }
          | undefined;
        return (level?.properties ?? level?.items?.properties)?.[key];
      }, root) !== undefined;
    const [drivers] = csv.spec.customresourcedefinitions.owned;
    for (const { path } of drivers.specDescriptors) expect(has(schema.spec, path), path).toBe(true);
    for (const { path } of drivers.statusDescriptors) expect(has(schema.status, path), path).toBe(true);
  });

  it('gives the operator all its rights, without a wildcard', () => {
    const { clusterPermissions, permissions = [] } = csv.spec.install.spec;
    const grants = operatorGrants(driverRoles.filter(({ name, optional }) => !optional && name !== cloudSecrets));
    expect(clusterPermissions[0].rules).toEqual([
      ...operatorClusterRules,
      ...grants.cluster,
      ...operatorPlaceRules.flatMap(({ rules }) => rules),
      ...grants.places.filter(({ namespace }) => namespace !== 'vmware-system-vdo').flatMap(({ rules }) => rules),
    ]);
    // To an operator of all namespaces OLM would give them in each.
    expect(permissions).toEqual([]);
    const allSecrets = clusterPermissions[0].rules.filter(
      ({ resources, resourceNames }: PolicyRule) => resources?.includes('secrets') && resourceNames === undefined,
    );
    expect(allSecrets).toEqual([]);
    const own = parse(read('bundle/manifests/vdo-operator.role.yaml'));
    expect(own.rules).toEqual(operatorNamespaceRules);
    const { roleRef, subjects } = parse(read('bundle/manifests/vdo-operator.rolebinding.yaml'));
    expect(roleRef).toMatchObject({ kind: 'Role', name: own.metadata.name });
    expect(subjects).toEqual([
      {
        kind: 'ServiceAccount',
        name: csv.spec.install.spec.deployments[0].spec.template.spec.serviceAccountName,
        namespace: own.metadata.namespace,
      },
    ]);
    expect(JSON.stringify(csv.spec.install)).not.toContain('"*"');
  });

  it('is installed for its own namespace only', () => {
    const modes = csv.spec.installModes as { type: string; supported: boolean }[];
    expect(modes.filter(({ supported }) => supported).map(({ type }) => type)).toEqual(['OwnNamespace']);
    const placed = readdirSync(new URL('bundle/manifests/', folder))
      .map((file) => parse(read(`bundle/manifests/${file}`)))
      .flatMap(({ metadata }) => metadata.namespace ?? []);
    expect(new Set(placed)).toEqual(new Set(['vmware-system-vdo']));
  });

  it('lets nobody bind a role that reads Secrets without a name, nor make pods, in the whole cluster', () => {
    const rules: readonly PolicyRule[] = csv.spec.install.spec.clusterPermissions[0].rules;
    const bindable = rules
      .filter(({ verbs }) => verbs.includes('bind'))
      .flatMap(({ resourceNames }) => resourceNames ?? ['any']);
    const readers = driverRoles.filter(({ rules: own }) =>
      own.some(({ resources, resourceNames }) => resources?.includes('secrets') && resourceNames === undefined),
    );
    expect(readers.map(({ name }) => name)).toContain(cloudSecrets);
    expect(readers.filter(({ name }) => bindable.includes(name))).toEqual([]);
    expect(rules.filter(({ resources, verbs }) => resources?.includes('pods') && verbs.includes('create'))).toEqual([]);
    expect(rules.flatMap(({ verbs }) => verbs)).not.toContain('escalate');
  });

  it('brings each role that it may bind', () => {
    const rules: readonly PolicyRule[] = csv.spec.install.spec.clusterPermissions[0].rules;
    const own = parse(read('bundle/manifests/vdo-operator-grants.role.yaml')).rules as readonly PolicyRule[];
    const bindable = [...rules, ...own]
      .filter(({ verbs, resources }) => verbs.includes('bind') && resources?.includes('clusterroles'))
      .flatMap(({ resourceNames = [] }) => resourceNames);
    const brought = readdirSync(new URL('bundle/manifests/', folder))
      .map((file) => parse(read(`bundle/manifests/${file}`)))
      .filter(({ kind }) => kind === 'ClusterRole')
      .map(({ metadata }) => metadata.name);
    expect(bindable.length).toBeGreaterThan(15);
    expect(bindable.filter((name) => !brought.includes(name))).toEqual([]);
  });

  it('runs the operator restricted', () => {
    const { spec, metadata } = csv.spec.install.spec.deployments[0].spec.template;
    expect(spec.hostNetwork).toBeUndefined();
    expect(metadata.annotations).toEqual({ 'openshift.io/required-scc': 'restricted-v2' });
    const { securityContext, image } = spec.containers[0];
    expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, runAsNonRoot: true });
    expect(securityContext.runAsUser).toBeUndefined();
    expect(csv.spec.relatedImages.map((related: { image: string }) => related.image)).toContain(image);
  });

  it('has a channel with the version that the bundle is of', () => {
    const [entry] = read('catalog/channel.yaml')
      .split('---\n')
      .map((text) => parse(text))
      .flatMap(({ entries = [] }) => entries);
    expect(entry.name).toBe(csv.metadata.name);
    expect(csv.metadata.name).toBe(`vdo.v${csv.spec.version}`);
  });
});
