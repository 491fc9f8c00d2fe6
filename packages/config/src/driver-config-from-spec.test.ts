import { describe, expect, it } from 'vitest';
import { type VSphereDriversSpecInput, vsphereDriversSpec } from './api/vsphere-drivers.ts';
import { defaultCsiConfig } from './driver-config.ts';
import { driverConfigFromSpec } from './driver-config-from-spec.ts';
import { readDriverConfig } from './read-driver-config.ts';
import { writeVsphereConfYaml } from './vsphere-conf-yaml.ts';

const secret = { namespace: 'vmware-system-vdo', name: 'vsphere-credentials' };
const from = (spec: Partial<VSphereDriversSpecInput>) =>
  driverConfigFromSpec(
    vsphereDriversSpec.parse({
      distribution: 'Native',
      vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }],
      ...spec,
    }),
    { secret, clusterId: 'generated' },
  );

describe('driverConfigFromSpec', () => {
  it('writes the shortest file for the minimal resource', () => {
    expect(writeVsphereConfYaml(from({ cpi: {} }))).toBe(`global:
  secretName: "vsphere-credentials"
  secretNamespace: "vmware-system-vdo"
vcenter:
  vc.example.com:
    server: "vc.example.com"
    port: 443
`);
  });

  it('writes every setting, and reading the file returns the same', () => {
    const config = from({
      vcenters: [
        {
          server: 'vc1.example.com',
          name: 'east',
          port: 8443,
          credentialsSecret: 'a',
          tls: { caBundle: 'PEM' },
          datacenters: ['dc'],
        },
        { server: '2001:db8::1', credentialsSecret: 'b', tls: { thumbprints: ['AA'.repeat(20)] } },
      ],
      cpi: {
        addresses: {
          families: ['IPv6', 'IPv4'],
          internal: { subnets: ['10.0.0.0/8'], exclude: ['10.0.0.1/32'] },
          external: { network: 'public' },
        },
      },
      csi: {
        clusterDistribution: 'native',
        fileVolumes: { netPermissions: [{ ips: '10.0.0.0/8', permissions: 'ReadOnly' }] },
        snapshots: { maxPerVolume: 5 },
      },
      topology: { region: 'k8s-region', zone: 'k8s-zone' },
      advanced: { volumes: { fullSyncInterval: '90s', queryLimit: 5 } },
    });
    expect(config.vcenters[0]?.tls.caFile).toBe('/etc/cloud/vc1.example.com.ca.pem');
    expect(config.csi).toEqual({
      ...defaultCsiConfig,
      clusterId: 'generated',
      clusterDistribution: 'native',
      queryLimit: 5,
      fullSyncIntervalMinutes: 2,
      topologyCategories: [
        { name: 'k8s-region', label: 'topology.kubernetes.io/region' },
        { name: 'k8s-zone', label: 'topology.kubernetes.io/zone' },
      ],
      netPermissions: [{ name: '0', ips: '10.0.0.0/8', permissions: 'READ_ONLY', rootSquash: true }],
      snapshots: { maxPerVolume: 5 },
      inTreeMigration: false,
    });
    const back = readDriverConfig(writeVsphereConfYaml(config), { unknownKeys: 'refuse', driver: 'csi' });
    expect(back).toEqual({ config, warnings: [], format: 'yaml' });
  });

  it('enables file volumes only if requested', () => {
    expect(from({ csi: {} }).csi.fileVolumes).toBe(false);
    expect(from({ csi: { fileVolumes: {} } }).csi.fileVolumes).toBe(true);
  });
});
