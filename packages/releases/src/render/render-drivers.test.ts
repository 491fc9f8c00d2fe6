import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import { decodeSecretData, findAccount } from '@vdo/config/credentials';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import type { ConfigMap, Secret } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { DaemonSet, Deployment } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Release } from '../matrix.ts';
import { effectiveRights } from '../testing/effective-rights.ts';
import { fakePassword, newestOf, renderWorld } from '../testing/rendered-worlds.ts';
import type { RenderInput } from './render-drivers.ts';
import type { ValidatingAdmissionPolicy } from './shared/admission-policies.ts';

const native = (driver: 'cpi' | 'csi'): Release => newestOf(driver, 'Native');
const password = fakePassword;
const render = (spec: Partial<VSphereDriversSpecInput> = {}, input: Partial<RenderInput> = {}): readonly AnyObject[] =>
  renderWorld('Native', spec, input);
const find = <T = AnyObject>(objects: readonly AnyObject[], kind: string, name: string): T => {
  const object = objects.find((candidate) => candidate.kind === kind && candidate.metadata.name === name);
  if (!object)
    throw new Error(
      `no ${kind} ${name} among ${objects.map(({ kind: k, metadata }) => `${k} ${metadata.name}`).join(', ')}`,
    );
  return object as unknown as T;
};
const containerOf = (workload: Deployment | DaemonSet) => {
  const [container] = workload.spec.template.spec.containers;
  if (!container) throw new Error('no container');
  return container;
};
const workloads = (objects: readonly AnyObject[]) => ({
  cpi: find<Deployment>(objects, 'Deployment', 'vsphere-cloud-controller-manager'),
  controller: find<Deployment>(objects, 'Deployment', 'vsphere-csi-controller'),
  node: find<DaemonSet>(objects, 'DaemonSet', 'vsphere-csi-node'),
});

describe('renderDrivers', () => {
  it('gives a driver with a separate account a Secret and a configuration that the other driver does not read', () => {
    const server = 'vc.example.com';
    const own = [{ server, username: 'reader@vsphere.local', password: 'obviously-fake-own' }];
    const objects = render({ cpi: { credentialsSecret: 'cloud' } }, { driverAccounts: { cpi: own } });
    const accountIn = (name: string) => {
      const data = decodeSecretData(find<Secret>(objects, 'Secret', name).data);
      return findAccount(data, server).account?.password;
    };
    expect(accountIn('vsphere-credentials-cpi')).toBe('obviously-fake-own');
    expect(accountIn('vsphere-credentials')).toBe(password);
    const secretsOf = (account: string) =>
      effectiveRights(objects)
        .filter((given) => given.account === `vmware-system-vdo/${account}`)
        .flatMap(({ rules }) => rules)
        .filter(({ resources }) => resources?.includes('secrets'))
        .flatMap(({ resourceNames }) => resourceNames ?? ['any']);
    expect(secretsOf('vsphere-cloud-controller-manager')).toEqual(['vsphere-credentials-cpi']);
    expect(secretsOf('vsphere-csi-controller')).toEqual(['vsphere-credentials']);
    expect(() => render({ csi: { credentialsSecret: 'storage' } })).toThrow('none was passed');
  });

  it('renders the manifests of the golden file', async () => {
    const text = render().map((object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`);
    await expect(text.join('')).toMatchFileSnapshot('golden/native-minimal.yaml');
  });

  it('writes a configuration into the ConfigMap that the drivers read without a warning', () => {
    const { data } = find<ConfigMap>(render(), 'ConfigMap', 'vsphere-config');
    const { config, warnings } = readDriverConfig(data?.['vsphere.conf'] ?? '', {
      unknownKeys: 'refuse',
      driver: 'csi',
    });
    expect(warnings).toEqual([]);
    expect(config.vcenters[0]).toMatchObject({
      server: 'vc.example.com',
      datacenters: ['dc-1'],
      credentials: { kind: 'secret', namespace: 'vmware-system-vdo', name: 'vsphere-credentials' },
    });
    expect(config.csi.clusterId).toBe('cluster-1');
  });

  it('writes accounts into the Secret and nowhere else', () => {
    const objects = render();
    const secret = find<Secret>(objects, 'Secret', 'vsphere-credentials');
    expect(findAccount(decodeSecretData(secret.data), 'vc.example.com').account).toEqual({
      username: 'k8s@vsphere.local',
      password,
    });
    const others = objects.filter(({ kind }) => kind !== 'Secret');
    expect(JSON.stringify(others)).not.toContain('obviously-fake');
    expect(JSON.stringify(others)).not.toContain('k8s@vsphere.local');
  });

  it('writes the account of an IPv6 vCenter under keys that a Secret can have', () => {
    const accounts = [{ server: 'fd01::1', username: 'a@b', password: 'fake' }];
    const secret = find<Secret>(
      render({ vcenters: [{ server: 'fd01::1', credentialsSecret: 'x' }] }, { accounts }),
      'Secret',
      'vsphere-credentials',
    );
    expect(Object.keys(secret.data ?? {}).every((key) => /^[-._a-zA-Z0-9]+$/.test(key))).toBe(true);
    expect(findAccount(decodeSecretData(secret.data), 'fd01::1').account?.username).toBe('a@b');
  });

  it('writes certificate authorities beside the configuration that names their file', () => {
    const objects = render({
      vcenters: [{ server: 'vc.example.com', credentialsSecret: 'x', tls: { caBundle: 'PEM' } }],
    });
    const { data } = find<ConfigMap>(objects, 'ConfigMap', 'vsphere-config');
    expect(data?.['vc.example.com.ca.pem']).toBe('PEM');
    expect(data?.['vsphere.conf']).toContain('caFile: "/etc/cloud/vc.example.com.ca.pem"');
  });

  it('runs the nodes from an image of their own, whose arguments choose the program', () => {
    const { cpi, controller, node } = workloads(render());
    expect([cpi, controller, node].map((workload) => containerOf(workload).image)).toEqual([
      ...['vdo/vdo:0.1.0', 'vdo/vdo:0.1.0', 'vdo/node:0.1.0'],
    ]);
    const programs = [cpi, controller, node].map((workload) => containerOf(workload).command ?? []);
    expect(programs.map((words) => [words[0], words.at(-1)])).toEqual([
      ['node', '/app/cpi.js'],
      ['node', '/app/csi.js'],
      ['node', '/app/csi.js'],
    ]);
    expect([controller, node].map((workload) => containerOf(workload).args?.[0])).toEqual(['controller', 'node']);
  });

  it.each([
    ['a release of the second layout', 'native-csi-2', 'vdo/vdo:0.1.0'],
    ['a release of the third', 'native-csi-3', 'vdo/node:0.1.0'],
  ])('%s takes the image of the nodes as its layout says', (_, layout, image) => {
    const { node } = workloads(render({}, { releases: { cpi: native('cpi'), csi: { ...native('csi'), layout } } }));
    expect(containerOf(node).image).toBe(image);
  });

  it('runs the nodes from the one image of a release that has no other', () => {
    const { node: _, ...images } = native('csi').images;
    const { node } = workloads(render({}, { releases: { cpi: native('cpi'), csi: { ...native('csi'), images } } }));
    expect(containerOf(node).image).toBe('vdo/vdo:0.1.0');
  });

  it('gives programs of the first layout only flags, ports and probes that v0.1.0 knows', () => {
    const releases = {
      cpi: { ...native('cpi'), layout: 'native-cpi-1' },
      csi: { ...native('csi'), layout: 'native-csi-1' },
    };
    const objects = render({ csi: { clusterId: 'cluster-1', snapshots: { install: true } } }, { releases });
    const { cpi, controller } = workloads(objects);
    const snapshots = find<Deployment>(objects, 'Deployment', 'snapshot-controller');
    for (const workload of [cpi, controller, snapshots])
      expect(containerOf(workload).args?.join(' ')).not.toMatch(/--(cert-dir|metrics-|health-bind-address)/);
    expect(containerOf(cpi).args?.join(' ')).not.toContain('--health-port');
    expect(containerOf(cpi).livenessProbe).toMatchObject({ httpGet: { port: 10_258, scheme: 'HTTPS' } });
    expect(containerOf(controller).ports).toHaveLength(1);
  });

  it('starts the cloud controller manager on a cluster that has nothing yet', () => {
    const { spec } = workloads(render()).cpi.spec.template;
    expect(spec).toMatchObject({ hostNetwork: true, dnsPolicy: 'Default' });
    for (const key of [
      'node.cloudprovider.kubernetes.io/uninitialized',
      'node.kubernetes.io/not-ready',
      'node-role.kubernetes.io/control-plane',
    ]) {
      expect(spec.tolerations).toContainEqual({ key, operator: 'Exists' });
    }
  });

  const vcenter = { server: 'vc.example.com', credentialsSecret: 'vcenter' };
  it.each([
    ['a zone', { topology: { zone: 'k8s-zone' } }, ['cpi', 'csi']],
    ['trust', { vcenters: [{ ...vcenter, tls: { caBundle: 'PEM' } }] }, ['cpi', 'csi']],
    ['addresses of nodes', { cpi: { addresses: { families: ['IPv6'] } } }, ['cpi']],
    ['file volumes', { csi: { fileVolumes: { netPermissions: [{ ips: '192.0.2.0/24' }] } } }, ['csi']],
    ['old volumes', { vcenters: [{ ...vcenter, migrationDatastoreUrl: 'ds:///vmfs/volumes/x/' }] }, ['csi']],
  ])('rolls the pods of the drivers that read it when this changes, and no other: %s', (_what, change, expected) => {
    const hashes = (spec: object) => {
      const { cpi, controller, node } = workloads(render({ vcenters: [vcenter], csi: {}, ...spec }));
      const hashOf = ({ spec: { template } }: Deployment | DaemonSet) =>
        template.metadata?.annotations?.['vdo.vmware.com/config-hash'];
      expect(hashOf(node)).toBeUndefined();
      return { cpi: hashOf(cpi), csi: hashOf(controller) };
    };
    const [before, after] = [hashes({}), hashes(change)];
    expect(before).toEqual({ cpi: expect.any(String), csi: expect.any(String) });
    expect((['cpi', 'csi'] as const).filter((driver) => before[driver] !== after[driver])).toEqual(expected);
    expect(hashes({})).toEqual(before);
  });

  it('does not change the cloud controller manager when storage is added', () => {
    const alone = renderWorld('Native', { csi: undefined } as never);
    expect(find<Deployment>(alone, 'Deployment', 'vsphere-cloud-controller-manager')).toEqual(workloads(render()).cpi);
  });

  it('grants no wildcard and only its own Secret', () => {
    const rules = effectiveRights(render()).flatMap((given) => given.rules);
    expect(rules.length).toBeGreaterThan(5);
    expect(JSON.stringify(rules)).not.toContain('*');
    for (const { resources, resourceNames } of rules.filter((rule) => rule.resources?.includes('secrets'))) {
      expect({ resources, resourceNames }).toEqual({ resources: ['secrets'], resourceNames: ['vsphere-credentials'] });
    }
  });

  it('holds the Leases of the Go programs that it replaces', () => {
    const objects = render();
    const leasesIn = (place: string) =>
      effectiveRights(objects)
        .filter(({ namespace }) => namespace === place)
        .flatMap(({ rules }) => rules)
        .filter(({ resources, verbs }) => resources?.includes('leases') && verbs.includes('update'))
        .flatMap(({ resourceNames = [] }) => resourceNames);
    expect(leasesIn('kube-system')).toEqual(['cloud-controller-manager']);
    expect(leasesIn('vmware-system-csi')).toContain('csi-vsphere-vmware-com');
    expect(find(objects, 'Namespace', 'vmware-system-csi')).toBeDefined();
  });

  it('takes images from the mirror, with pull secrets', () => {
    const objects = render({
      images: { registry: 'mirror.example.com:5000/air', pullSecrets: ['pull'], pullPolicy: 'Always' },
    });
    const { cpi } = workloads(objects);
    expect(containerOf(cpi)).toMatchObject({
      image: 'mirror.example.com:5000/air/vdo/vdo:0.1.0',
      imagePullPolicy: 'Always',
    });
    expect(cpi.spec.template.spec.imagePullSecrets).toEqual([{ name: 'pull' }]);
  });

  it("applies the user's adjustments, without losing its own labels and tolerations", () => {
    const adjust = {
      extraArgs: ['--v=4'],
      env: { HTTPS_PROXY: 'http://proxy.example.com' },
      labels: { app: 'mine', team: 'storage' },
      annotations: { note: 'x' },
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'dedicated', operator: 'Exists' as const }],
      resources: { limits: { memory: '512Mi' } },
    };
    const { controller, node } = workloads(
      render({ advanced: { csiController: adjust, kubeletPath: '/data/kubelet' } }),
    );
    const { metadata, spec } = controller.spec.template;
    expect(metadata).toMatchObject({
      labels: { app: 'vsphere-csi-controller', team: 'storage' },
      annotations: { note: 'x' },
    });
    expect(spec.nodeSelector).toEqual({ 'kubernetes.io/os': 'linux', disk: 'fast' });
    expect(spec.tolerations?.at(-1)).toEqual({ key: 'dedicated', operator: 'Exists' });
    const container = containerOf(controller);
    expect(container.args?.at(-1)).toBe('--v=4');
    expect(container.env).toContainEqual({ name: 'HTTPS_PROXY', value: 'http://proxy.example.com' });
    expect(container.resources).toEqual({ limits: { memory: '512Mi' } });
    expect(JSON.stringify(node)).toContain('/data/kubelet/plugins/csi.vsphere.vmware.com');
    expect(JSON.stringify(node)).not.toContain('/var/lib/kubelet');
  });

  it('omits a driver that the spec omits', () => {
    const kinds = (objects: readonly AnyObject[]) =>
      objects.filter(({ kind }) => /Deployment|DaemonSet|CSIDriver/.test(kind)).map(({ metadata }) => metadata.name);
    expect(kinds(render({ cpi: undefined }))).toEqual([
      'csi.vsphere.vmware.com',
      'vsphere-csi-controller',
      'vsphere-csi-node',
    ]);
    expect(kinds(render({ csi: undefined }))).toEqual(['vsphere-cloud-controller-manager']);
  });

  it('creates the storage classes of the spec', () => {
    const [fast] = render({
      csi: {
        storageClasses: [
          { name: 'fast', default: true, storagePolicy: 'Gold', fsType: 'xfs', mountOptions: ['noatime'] },
        ],
      },
    }).filter(({ kind }) => kind === 'StorageClass');
    expect(fast).toMatchObject({
      metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'csi.vsphere.vmware.com',
      parameters: { storagepolicyname: 'Gold', 'csi.storage.k8s.io/fstype': 'xfs' },
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
      mountOptions: ['noatime'],
    });
  });

  const refused: readonly [string, Partial<VSphereDriversSpecInput>, Partial<RenderInput>, string][] = [
    [
      'a release of an unknown layout',
      {},
      { releases: { cpi: { ...native('cpi'), layout: 'native-cpi-9', minOperator: '0.9.0' } } },
      'ReleaseLayoutUnknown',
    ],
    ['a release without the image', {}, { releases: { cpi: { ...native('cpi'), images: {} } } }, 'MatrixInvalid'],
  ];
  it.each(refused)('refuses %s', (_name, spec, input, code) => {
    expect(() => render(spec, input)).toThrow(expect.objectContaining({ code }));
  });

  it('runs the upstream sidecars beside the driver if the spec requests them', () => {
    const { controller, node } = workloads(
      render({ csi: { sidecars: 'Upstream' }, images: { registry: 'm.example.com' } }),
    );
    const named = (workload: Deployment | DaemonSet) =>
      workload.spec.template.spec.containers.map(({ name, image, args = [] }) => ({ name, image, args }));
    expect(named(controller).map(({ name }) => name)).toEqual([
      'vsphere-csi-controller',
      'csi-attacher',
      'csi-resizer',
      'csi-provisioner',
      'csi-snapshotter',
    ]);
    expect(named(controller)[0]?.args).toContain('--sidecars=external');
    for (const { args, image } of named(controller).slice(1)) {
      expect(args).toContain('--leader-election-namespace=vmware-system-csi');
      expect(image).toMatch(/^m\.example\.com\/sig-storage\/csi-\w+@sha256:/);
    }
    expect(named(node).map(({ name }) => name)).toEqual(['vsphere-csi-node', 'node-driver-registrar']);
    expect(named(node)[0]?.args).toContain('--no-register');
  });

  it('lets the controller label nodes only if there is a topology', () => {
    const patchesNodes = (objects: readonly AnyObject[]) =>
      effectiveRights(objects)
        .filter(({ account }) => account.endsWith('/vsphere-csi-controller'))
        .flatMap(({ rules }) => rules)
        .some(({ resources, verbs }) => resources?.includes('nodes') && verbs.includes('patch'));
    expect(patchesNodes(render())).toBe(false);
    const objects = render({
      topology: { categories: [{ name: 'rack' }, { name: 'room', label: 'example.com/room' }] },
    });
    expect(patchesNodes(objects)).toBe(true);
    expect(containerOf(workloads(objects).node).args).toContain(
      '--topology-labels=topology.csi.vmware.com/rack,example.com/room',
    );
  });

  it('refuses mistakes by admission policies if the API server supports them', () => {
    const policies = (kubernetesVersion?: string) =>
      render({ csi: { snapshots: {} } }, kubernetesVersion === undefined ? {} : { kubernetesVersion })
        .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
        .map(({ metadata }) => metadata.name);
    expect(policies()).toEqual([]);
    expect(policies('v1.29.9')).toEqual([]);
    expect(policies('v1.30.0+rke2r1')).toEqual([
      'vdo-csi-storageclasses',
      'vdo-csi-persistentvolumes',
      'vdo-csi-volumesnapshotclasses',
      'vdo-drivers',
    ]);
    expect(policies('v1.34.0')).toHaveLength(5);
  });

  it('refuses by admission what no vCenter is new enough for', () => {
    const old = { server: 'a', version: '6.7.3' };
    const messages = (vcenters: readonly { readonly server: string; readonly version: string }[]) =>
      render({ csi: { snapshots: {} } }, { kubernetesVersion: 'v1.34.0', vcenters })
        .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
        .flatMap((policy) => (policy as unknown as ValidatingAdmissionPolicy).spec.validations)
        .flatMap(({ message }) => (message.includes('vCenter a') || message.includes('a is') ? [message] : []));
    expect(messages([old])).toEqual([
      'file volumes need vCenter 7.0 Update 1; a is 6.7 Update 3',
      'file volumes need vCenter 7.0 Update 1; a is 6.7 Update 3',
      'snapshots and copies of volumes need vCenter 7.0 Update 3; a is 6.7 Update 3',
      'changes of the storage policy of a volume need vCenter 8.0 Update 1; a is 6.7 Update 3',
    ]);
    expect(messages([old, { server: 'b', version: '8.0.3' }])).toEqual([]);
    expect(messages([{ server: 'a', version: '' }])).toEqual([]);
  });

  describe('snapshots', () => {
    const asked = { csi: { snapshots: { install: true, classes: [{ name: 'daily', default: true }] } } };
    const kinds = (objects: readonly AnyObject[]) =>
      objects
        .filter(({ kind, metadata }) => /Snapshot|CustomResource/.test(kind) || metadata.name === 'snapshot-controller')
        .map(({ kind }) => kind);

    it('are installed with their API and controller if requested', () => {
      const objects = render(asked);
      expect(kinds(objects).filter((kind) => kind === 'CustomResourceDefinition')).toHaveLength(3);
      const controller = find<Deployment>(objects, 'Deployment', 'snapshot-controller');
      expect(containerOf(controller).args?.slice(0, 2)).toEqual([
        'snapshot-controller',
        '--leader-election-namespace=kube-system',
      ]);
      expect(find(objects, 'VolumeSnapshotClass', 'daily')).toMatchObject({
        metadata: { annotations: { 'snapshot.storage.kubernetes.io/is-default-class': 'true' } },
        driver: 'csi.vsphere.vmware.com',
        deletionPolicy: 'Delete',
      });
    });

    it('are not changed if somebody else manages them', () => {
      const foreign = { snapshotCrds: true, snapshotController: true };
      expect(kinds(render(asked, { foreign }))).toEqual(['VolumeSnapshotClass']);
      expect(kinds(render())).toEqual([]);
    });

    it('are served by the upstream controller in the upstream distribution', () => {
      const controller = find<Deployment>(
        renderWorld('Upstream', { ...asked, images: { registry: 'm.example.com' } }),
        'Deployment',
        'snapshot-controller',
      );
      expect(containerOf(controller).image).toMatch(/sig-storage\/snapshot-controller@sha256:/);
    });
  });
});
