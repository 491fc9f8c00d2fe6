import { createHash } from 'node:crypto';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { caFileName, driverConfigFromSpec } from '@vdo/config/driver-config-from-spec';
import { writeVsphereConfYaml } from '@vdo/config/vsphere-conf-yaml';
import type { ConfigMap } from '@vdo/kube/types/core';
import { managedLabels } from './labels.ts';
import { names } from './names.ts';

export interface DriverConfigMap {
  readonly object: ConfigMap;
  /** Changes whenever the content does. */
  readonly hash: string;
}

/** Short, and another one whenever the content is. */
export const contentHash = (data: Readonly<Record<string, string>>): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16);

/** The configuration that both drivers read, with the certificate authorities beside it. No account is in it. */
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
  const data = { [names.configKey]: writeVsphereConfYaml(config), ...Object.fromEntries(bundles) };
  return {
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels },
      data,
    },
    hash: contentHash(data),
  };
};
