import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import { describeProblem, type Problem } from '../problems.ts';
import { parseVSphereDrivers } from './parse-vsphere-drivers.ts';

const minimal = {
  distribution: 'Native',
  vcenters: [{ server: 'vcenter.example.com', credentialsSecret: 'vcenter', datacenters: ['dc-1'] }],
  cpi: {},
  csi: {},
};
const parse = (spec: unknown, name = 'cluster') =>
  parseVSphereDrivers({ apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata: { name }, spec });
const problemsOf = (spec: unknown, name = 'cluster'): readonly string[] => {
  try {
    parse(spec, name);
  } catch (error) {
    if (!(error instanceof VdoError)) throw error;
    return (error.details['problems'] as readonly Problem[]).map(describeProblem);
  }
  return [];
};
const second = { server: 'vc2.example.com', credentialsSecret: 'vc2' };

describe('parseVSphereDrivers', () => {
  it('fills in the defaults of the minimal resource', () => {
    const { spec } = parse(minimal);
    expect(spec).toMatchObject({
      vcenters: [{ port: 443, tls: { thumbprints: [], insecure: false } }],
      cpi: { addresses: { families: ['IPv4'], internal: { subnets: [], exclude: [] } } },
      csi: { sidecars: 'Integrated', storageClasses: [], inTreeMigration: false },
      updates: { policy: 'Automatic', interval: '6h', trustedKeys: [] },
      images: { pullPolicy: 'IfNotPresent', pullSecrets: [] },
      deletionPolicy: 'Protect',
      advanced: { logLevel: 'info', kubeletPath: '/var/lib/kubelet' },
    });
    expect(spec.topology).toBeUndefined();
  });

  const ownCopy =
    'the operator writes the Secrets vsphere-credentials, vsphere-credentials-cpi, vsphere-credentials-csi, vdo-metrics-tls itself: use a Secret with another name for the account';
  const refused: readonly [string, unknown, string][] = [
    [
      'neither driver',
      { ...minimal, cpi: undefined, csi: undefined },
      'spec: nothing to install: set cpi, csi or both (an empty object, {}, uses the defaults)',
    ],
    [
      'storage on two vCenters without topology',
      { ...minimal, vcenters: [...minimal.vcenters, second] },
      'spec.topology: storage on several vCenters needs topology: set topology.zone or topology.region',
    ],
    [
      'pinning without releases',
      { ...minimal, updates: { policy: 'Pinned', versions: { cpi: '0.1.0' } } },
      'spec.updates: policy Pinned needs a release for each driver: set updates.versions.cpi and updates.versions.csi',
    ],
    [
      'two ways of trust',
      { ...minimal, vcenters: [{ ...second, tls: { insecure: true, caBundle: 'x' } }] },
      'spec.vcenters[0].tls: set only one of thumbprints, caBundle and insecure',
    ],
    [
      'labels of Kubernetes',
      { ...minimal, cpi: { nodeLabels: { 'node.kubernetes.io/x': 'y' } } },
      'spec.cpi.nodeLabels: labels in the domains kubernetes.io and k8s.io are reserved for Kubernetes: use another domain',
    ],
    [
      'two sources of a matrix',
      { ...minimal, updates: { matrix: { url: 'https://example.com/m.json', file: '/m.json' } } },
      'spec.updates.matrix: set exactly one of url, configMap and file',
    ],
    [
      'no source of a CNI manifest',
      { ...minimal, cni: { manifest: {} } },
      'spec.cni.manifest: set exactly one of url, configMap and file',
    ],
    [
      'two default storage classes',
      {
        ...minimal,
        csi: {
          storageClasses: [
            { name: 'a', default: true },
            { name: 'b', default: true },
          ],
        },
      },
      'spec.csi: at most one of csi.storageClasses can be the default: keep default: true on one of them',
    ],
    [
      'a copy of the drivers as the Secret of a vCenter',
      { ...minimal, vcenters: [{ ...second, credentialsSecret: 'vsphere-credentials' }] },
      `spec.vcenters[0].credentialsSecret: ${ownCopy}`,
    ],
    [
      'the copy of a driver as its own Secret',
      { ...minimal, cpi: { credentialsSecret: 'vsphere-credentials-cpi' } },
      `spec.cpi.credentialsSecret: ${ownCopy}`,
    ],
    [
      'the copy of the other driver as its own Secret',
      { ...minimal, csi: { credentialsSecret: 'vsphere-credentials-cpi' } },
      `spec.csi.credentialsSecret: ${ownCopy}`,
    ],
    [
      'upstream sidecars beside the upstream driver',
      { ...minimal, distribution: 'Upstream', csi: { sidecars: 'Upstream' } },
      'spec.csi: csi.sidecars applies only to the native driver: remove it with distribution Upstream',
    ],
  ];
  it.each(refused)('refuses %s', (_name, spec, problem) => {
    expect(problemsOf(spec)).toEqual([problem]);
  });

  it('refuses a name other than cluster', () => {
    expect(problemsOf(minimal, 'other')).toEqual([
      'metadata.name: there is one VSphereDrivers resource per cluster: set metadata.name to cluster',
    ]);
  });

  it('reports every field that does not match the schema', () => {
    const spec = { vcenters: [{ server: 'https://vc', port: 0 }], csi: { clusterId: '' }, deletionPolicy: 'Purge' };
    const fields = problemsOf(spec).map((problem) => problem.split(': ')[0]);
    expect(fields).toEqual([
      'spec.distribution',
      'spec.vcenters[0].server',
      'spec.vcenters[0].port',
      'spec.vcenters[0].credentialsSecret',
      'spec.csi.clusterId',
      'spec.deletionPolicy',
    ]);
  });
});
