import { createHash } from 'node:crypto';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { type DriverConfig, defaultCsiConfig, noAddressRules } from '@vdo/config/driver-config';
import { caFileName, driverConfigFromSpec } from '@vdo/config/driver-config-from-spec';
import { names } from '@vdo/config/names';
import { writeVsphereConfYaml } from '@vdo/config/vsphere-conf-yaml';
import type { ConfigMap } from '@vdo/kube/types/core';
import type { DriverKind } from '../../matrix.ts';
import { managedLabels } from './labels.ts';

export interface DriverConfigMap {
  readonly object: ConfigMap;
  /** For each driver: changes whenever something that this driver reads changes. */
  readonly hashes: Readonly<Record<DriverKind, string>>;
}

/** Short, and different for different content. */
export const contentHash = (data: Readonly<Record<string, string>>): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16);

/** What each driver reads of the configuration; the rest of it may change without a restart. */
const readBy: Readonly<Record<DriverKind, (config: DriverConfig) => DriverConfig>> = {
  cpi: (config) => ({
    ...config,
    vcenters: config.vcenters.map(({ migrationDatastoreUrl: _, ...vcenter }) => vcenter),
    csi: defaultCsiConfig,
  }),
  csi: (config) => ({
    ...config,
    vcenters: config.vcenters.map((vcenter) => ({ ...vcenter, ipFamilies: ['ipv4'] })),
    labels: {},
    nodes: { internal: noAddressRules, external: noAddressRules },
  }),
};

/** The configuration that both drivers read, with the certificate authorities beside it. It contains no account. */
export const driverConfigMap = (
  spec: VSphereDriversSpec,
  options: {
    readonly namespace: string;
    /** Default vsphere-config. */
    readonly name?: string;
    /** Name of the Secret with the accounts. Default vsphere-credentials. */
    readonly secret?: string;
    readonly labels?: Readonly<Record<string, string>>;
  },
): DriverConfigMap => {
  const { namespace, name = names.configMap, secret = names.credentialsSecret, labels = managedLabels } = options;
  const config = driverConfigFromSpec(spec, {
    secret: { namespace, name: secret },
    caFolder: names.configFolder,
  });
  const bundles = spec.vcenters.flatMap(({ server, tls }) =>
    tls.caBundle === undefined ? [] : [[caFileName(server), tls.caBundle] as const],
  );
  const files = (of: DriverConfig) => ({ [names.configKey]: writeVsphereConfYaml(of), ...Object.fromEntries(bundles) });
  const hashOf = (driver: DriverKind) => contentHash(files(readBy[driver](config)));
  return {
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels },
      data: files(config),
    },
    hashes: { cpi: hashOf('cpi'), csi: hashOf('csi') },
  };
};
