import { readDriverConfig } from '@vdo/config/read-driver-config';
import type { ConfigMap, Secret } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { DaemonSet, Deployment } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { effectiveRights } from '../testing/effective-rights.ts';
import { everything, newestOf, releasesOf, renderWorld } from '../testing/rendered-worlds.ts';
import { compareReleases } from '../versions.ts';

const find = <T = AnyObject>(objects: readonly AnyObject[], kind: string, name: string): T => {
  const object = objects.find((candidate) => candidate.kind === kind && candidate.metadata.name === name);
  if (!object) throw new Error(`no ${kind} ${name}`);
  return object as unknown as T;
};
const controllerOf = (objects: readonly AnyObject[]) =>
  find<Deployment>(objects, 'Deployment', 'vsphere-csi-controller');
const nodeOf = (objects: readonly AnyObject[]) => find<DaemonSet>(objects, 'DaemonSet', 'vsphere-csi-node');
const cpiOf = (objects: readonly AnyObject[]) =>
  find<DaemonSet>(objects, 'DaemonSet', 'vsphere-cloud-controller-manager');
const argsOf = ({ spec }: Deployment | DaemonSet, name: string): readonly string[] =>
  spec.template.spec.containers.find((container) => container.name === name)?.args ?? [];
const envOf = ({ spec }: Deployment | DaemonSet, name: string) =>
  Object.fromEntries(
    (spec.template.spec.containers.find((container) => container.name === name)?.env ?? []).map((one) => [
      one.name,
      one.value,
    ]),
  );
const decoded = ({ data = {} }: Secret, key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('utf8');

describe('the upstream distribution', () => {
  it('renders the manifests of the golden file', async () => {
    const text = renderWorld('Upstream').map(
      (object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`,
    );
    await expect(text.join('')).toMatchFileSnapshot('golden/upstream-minimal.yaml');
  });

  it('keeps the names, namespaces and selectors of the upstream manifests, so that it takes over running drivers', () => {
    const objects = renderWorld('Upstream');
    const place = ({ metadata, spec }: Deployment | DaemonSet) => [metadata.namespace, spec.selector.matchLabels];
    expect(place(controllerOf(objects))).toEqual(['vmware-system-csi', { app: 'vsphere-csi-controller' }]);
    expect(place(nodeOf(objects))).toEqual(['vmware-system-csi', { app: 'vsphere-csi-node' }]);
    expect(place(cpiOf(objects))).toEqual(['kube-system', { name: 'vsphere-cloud-controller-manager' }]);
    const named = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    for (const name of [
      'ServiceAccount cloud-controller-manager',
      'ServiceAccount vsphere-csi-controller',
      'ServiceAccount vsphere-csi-node',
      'RoleBinding servicecatalog.k8s.io:apiserver-authentication-reader',
      'ConfigMap vsphere-cloud-config',
      'Secret vsphere-cloud-secret',
      'CSIDriver csi.vsphere.vmware.com',
      'ConfigMap internal-feature-states.csi.vsphere.vmware.com',
      'Service vsphere-csi-controller',
      'Secret vsphere-config-secret',
    ])
      expect(named).toContain(name);
  });

  it('shares the CSIDriver, its handles and StorageClasses with the native one, so that a switch loses no volume', () => {
    const spec = { csi: { clusterId: 'cluster-1', storageClasses: [{ name: 'fast' }] } };
    const [native, upstream] = [renderWorld('Native', spec), renderWorld('Upstream', spec)];
    for (const [kind, name] of [
      ['CSIDriver', 'csi.vsphere.vmware.com'],
      ['StorageClass', 'fast'],
    ] as const) {
      const { metadata: _one, ...left } = find(native, kind, name);
      const { metadata: _other, ...right } = find(upstream, kind, name);
      expect(left).toEqual(right);
    }
    const clusterId = (text: string) =>
      readDriverConfig(text, { unknownKeys: 'refuse', driver: 'csi' }).config.csi.clusterId;
    const shared = find<ConfigMap>(native, 'ConfigMap', 'vsphere-config').data?.['vsphere.conf'] ?? '';
    const conf = decoded(find<Secret>(upstream, 'Secret', 'vsphere-config-secret'), 'csi-vsphere.conf');
    expect(clusterId(shared)).toBe('cluster-1');
    expect(clusterId(conf)).toBe('cluster-1');
  });

  it('uses the ports of the native one on the host, so that the scheduler switches node by node', () => {
    const portsOnHost = (objects: readonly AnyObject[]) =>
      objects
        .filter(({ kind }) => kind === 'DaemonSet' || kind === 'Deployment')
        .map((object) => (object as unknown as DaemonSet).spec.template.spec)
        .filter(({ hostNetwork }) => hostNetwork)
        .map(({ containers }) =>
          containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort)),
        );
    expect(portsOnHost(renderWorld('Upstream'))).toEqual([[10_258], [9808]]);
    expect(portsOnHost(renderWorld('Native'))).toEqual([[10_258, 9811], [9808]]);
  });

  it('writes configurations that our own readers accept without a warning', () => {
    const objects = renderWorld('Upstream', everything);
    const conf = decoded(find<Secret>(objects, 'Secret', 'vsphere-config-secret'), 'csi-vsphere.conf');
    const storage = readDriverConfig(conf, { unknownKeys: 'refuse', driver: 'csi' });
    // The Go driver can read the account only from its configuration: the whole file is a Secret.
    expect(storage.warnings.map(({ message }) => message)).toEqual(
      Array(2).fill('the configuration file contains a password'),
    );
    expect(storage.config.vcenters.map(({ server }) => server)).toEqual(['vc.example.com', 'fd01::1']);
    expect(storage.config.vcenters[0]?.tls.caFile).toBe('/etc/cloud/vc.example.com.ca.pem');
    expect(decoded(find<Secret>(objects, 'Secret', 'vsphere-config-secret'), 'vc.example.com.ca.pem')).toBe('PEM');
    const cloud = find<ConfigMap>(objects, 'ConfigMap', 'vsphere-cloud-config').data?.['vsphere.conf'] ?? '';
    const { config, warnings } = readDriverConfig(cloud, { unknownKeys: 'refuse', driver: 'cpi' });
    expect(warnings).toEqual([]);
    expect(config.vcenters[0]?.credentials).toEqual({
      kind: 'secret',
      namespace: 'kube-system',
      name: 'vsphere-cloud-secret',
    });
    expect(cloud).not.toContain('csi:');
  });

  it('writes topology labels where the Go driver reads them, and refuses those that it would not set', () => {
    const categories = [
      { name: 'room', label: 'topology.kubernetes.io/region' },
      { name: 'rack', label: 'topology.kubernetes.io/zone' },
    ];
    const [secret] = renderWorld('Upstream', { topology: { categories } }).filter(
      ({ kind, metadata }) => kind === 'Secret' && metadata.name === 'vsphere-config-secret',
    );
    const { data } = secret as unknown as { readonly data: Readonly<Record<string, string>> };
    const text = Buffer.from(data['csi-vsphere.conf'] ?? '', 'base64').toString();
    expect(text).toMatch(/\[Labels\]\s+region = "?room"?\s+zone = "?rack"?/);
    expect(text).not.toContain('topology-categories');
    expect(text).toMatch(/\[TopologyCategory "rack"\]\s+label = "?topology.kubernetes.io\/zone"?/);
    const { vcenters } = everything;
    expect(() => renderWorld('Upstream', { topology: { categories }, ...(vcenters ? { vcenters } : {}) })).toThrow(
      /topology\.categories\[0\]\.label cannot be used with/,
    );
  });

  it('places by topology, with the requested sync interval and log level', () => {
    const controller = controllerOf(renderWorld('Upstream', everything));
    expect(argsOf(controller, 'csi-provisioner')).toEqual(
      expect.arrayContaining(['--feature-gates=Topology=true', '--strict-topology']),
    );
    expect(envOf(controller, 'vsphere-syncer')).toMatchObject({
      FULL_SYNC_INTERVAL_MINUTES: '45',
      LOGGER_LEVEL: 'DEVELOPMENT',
    });
    const plain = controllerOf(renderWorld('Upstream'));
    // From release 5 on, the sidecar enables it by default, and without topology it fails every claim.
    expect(argsOf(plain, 'csi-provisioner')).toContain('--feature-gates=Topology=false');
    expect(envOf(plain, 'vsphere-syncer')).toMatchObject({
      FULL_SYNC_INTERVAL_MINUTES: '30',
      LOGGER_LEVEL: 'PRODUCTION',
    });
  });

  it.each(releasesOf('csi', 'Upstream').map((release) => [release.version, release] as const))(
    'renders storage %s with its own images and switches',
    (version, csi) => {
      const objects = renderWorld('Upstream', {}, { releases: { csi } });
      const since = (other: string) => compareReleases(version, other) >= 0;
      const [controller, node] = [controllerOf(objects), nodeOf(objects)];
      const images = [controller, node].flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image));
      const listed = [...Object.values(csi.images), ...Object.values(csi.sidecars ?? {})].map(
        ({ repository, tag, digest }) =>
          `mirror.example.com/${repository.replace(/^(registry\.k8s|gcr)\.io\//, '')}${digest ? `@${digest}` : `:${tag}`}`,
      );
      expect(images.filter((image) => !listed.includes(image))).toEqual([]);
      expect(new Set(images).size).toBe(8);
      const states = find<ConfigMap>(objects, 'ConfigMap', 'internal-feature-states.csi.vsphere.vmware.com').data ?? {};
      expect('csi-migration' in states).toBe(!since('3.2.0'));
      expect('high-pv-node-density' in states).toBe(since('3.7.1'));
      expect('csi-transaction-support' in states).toBe(since('3.6.0') && !since('3.7.0'));
      expect(argsOf(controller, 'vsphere-csi-controller').includes('--enable-profile-server=false')).toBe(
        since('3.6.0'),
      );
      expect(argsOf(controller, 'csi-attacher').includes('--worker-threads=100')).toBe(since('3.4.0'));
      expect(argsOf(controller, 'csi-snapshotter').includes('--extra-create-metadata')).toBe(since('3.6.0'));
      expect(envOf(node, 'vsphere-csi-node')['MAX_VOLUMES_PER_NODE']).toBe(since('3.7.1') ? undefined : '59');
      expect(envOf(controller, 'vsphere-csi-controller')['GODEBUG'] !== undefined).toBe(!since('3.3.0'));
    },
  );

  it.each(releasesOf('cpi', 'Upstream').map((release) => [release.version, release] as const))(
    'renders cloud controller manager %s',
    (version, cpi) => {
      const objects = renderWorld('Upstream', {}, { releases: { cpi } });
      const [container] = cpiOf(objects).spec.template.spec.containers;
      expect(container?.image).toBe(
        `mirror.example.com/cloud-pv-vsphere/cloud-provider-vsphere@${cpi.images['cloud-controller-manager']?.digest}`,
      );
      // Since 1.32 it searches Secrets only in one namespace.
      const everywhere = effectiveRights(objects)
        .filter(({ namespace }) => namespace === undefined)
        .flatMap(({ rules }) => rules);
      expect(everywhere.some(({ resources }) => resources?.includes('secrets'))).toBe(
        compareReleases(version, '1.32.0') < 0,
      );
    },
  );

  it('runs on the control plane by default', () => {
    expect(JSON.stringify(cpiOf(renderWorld('Upstream')).spec)).toContain('requiredDuringScheduling');
    const elsewhere = cpiOf(renderWorld('Upstream', { advanced: { cpi: { nodeSelector: { infra: 'yes' } } } }));
    expect(elsewhere.spec.template.spec.affinity).toBeUndefined();
    expect(elsewhere.spec.template.spec.nodeSelector).toMatchObject({ infra: 'yes' });
  });

  it('mixes distributions while one replaces the other', () => {
    const objects = renderWorld(
      'Native',
      { images: { registry: 'm.example.com' } },
      { releases: { cpi: newestOf('cpi', 'Upstream'), csi: newestOf('csi', 'Native') } },
    );
    expect(cpiOf(objects).metadata.namespace).toBe('kube-system');
    expect(controllerOf(objects).metadata.namespace).toBe('vmware-system-vdo');
  });

  it('takes its images from their own public registry, or from the mirror that is named', () => {
    const imagesOf = (spec: Parameters<typeof renderWorld>[1]) =>
      [controllerOf, nodeOf, cpiOf].flatMap((of) =>
        of(renderWorld('Upstream', spec)).spec.template.spec.containers.map(({ image }) => image.replace(/[:@].*/, '')),
      );
    expect(imagesOf({ images: {} })).toEqual(
      expect.arrayContaining([
        'registry.k8s.io/csi-vsphere/driver',
        'registry.k8s.io/sig-storage/csi-provisioner',
        'registry.k8s.io/cloud-pv-vsphere/cloud-provider-vsphere',
      ]),
    );
    expect(
      imagesOf({ images: { registry: 'm.example.com' } }).every((image) => image.startsWith('m.example.com/')),
    ).toBe(true);
  });

  it('refuses a release whose images name no registry, unless a mirror is named', () => {
    const csi = newestOf('csi', 'Upstream');
    const driver = { repository: 'csi-vsphere/driver', tag: 'v1' };
    const releases = { csi: { ...csi, images: { ...csi.images, driver } } };
    expect(() => renderWorld('Upstream', { images: {} }, { releases })).toThrow(
      /has no registry in its name, and spec\.images\.registry is not set/,
    );
  });

  const thumbprints = ['A'.repeat(40), 'B'.repeat(40)];
  const refused: readonly [string, Parameters<typeof renderWorld>[1], RegExp][] = [
    [
      'datastores of file volumes',
      { csi: { fileVolumes: { datastoreUrls: ['ds:///vmfs/volumes/a/'] } } },
      /spec\.csi\.fileVolumes\.datastoreUrls cannot be used with/,
    ],
    ['labels of nodes', { cpi: { nodeLabels: { a: 'b' } } }, /spec\.cpi\.nodeLabels cannot be used with/],
    [
      'several thumbprints',
      { vcenters: [{ server: 'vc', credentialsSecret: 'a', tls: { thumbprints } }] },
      /support one thumbprint per vCenter/,
    ],
  ];
  it.each(refused)('refuses %s', (_name, spec, message) => {
    expect(() => renderWorld('Upstream', spec)).toThrow(
      expect.objectContaining({ code: 'ConfigInvalid', message: expect.stringMatching(message) }),
    );
  });
});
