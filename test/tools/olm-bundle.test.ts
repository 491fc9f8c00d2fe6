import { readdirSync, readFileSync } from 'node:fs';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import type { PolicyRule } from '@vdo/kube/types/cluster';
import {
  operatorClusterRules,
  operatorNamespaceRules,
  operatorPlaceRules,
} from '@vdo/releases/render/operator/operator-rbac';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = new URL('../../deploy/olm/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const csv = parse(read('bundle/manifests/vdo.clusterserviceversion.yaml'));

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
    expect(clusterPermissions[0].rules).toEqual([
      ...operatorClusterRules,
      ...operatorPlaceRules.flatMap(({ rules }) => rules),
    ]);
    // OLM would give them in every namespace, because the operator is for all of them.
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
