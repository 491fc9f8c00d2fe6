import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { writeCsiConfIni } from '@vdo/config/csi-conf-ini';
import { caFileName, driverConfigFromSpec } from '@vdo/config/driver-config-from-spec';
import { names, upstreamNames } from '@vdo/config/names';
import type { ConfigMap, Secret } from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import type { CsiDriver } from '@vdo/kube/types/storage';
import type { ServerAccount } from '../shared/credentials-secret.ts';
import { contentHash } from '../shared/driver-config-map.ts';
import { driverLabels } from '../shared/labels.ts';
import { privilegedNamespace } from '../shared/namespaces.ts';
import type { RenderContext } from '../shared/render-context.ts';
import { upstreamCsiAccess } from './csi-access.ts';
import { upstreamCsiController } from './csi-controller.ts';
import { upstreamCsiFeatures } from './csi-features.ts';
import { upstreamCsiNode } from './csi-node.ts';
import { upstreamObjects } from './objects.ts';

export interface UpstreamCsiInput {
  readonly spec: VSphereDriversSpec;
  readonly accounts: readonly ServerAccount[];
  /** Without the hash, which is that of the Secret created here. */
  readonly context: Omit<RenderContext, 'configHash' | 'namespace'>;
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** The configuration of the Go driver. It cannot refer to a Secret: the whole file is a Secret, including accounts. */
const configSecret = (input: UpstreamCsiInput): { readonly secret: Secret; readonly hash: string } => {
  const { spec, accounts, context } = input;
  const config = driverConfigFromSpec(spec, {
    secret: { namespace: names.upstreamCsiNamespace, name: upstreamNames.csiConfigSecret },
  });
  const none = { username: '', password: '' };
  const accountOf = ({ server }: { readonly server: string }) =>
    accounts.find((account) => account.server === server) ?? none;
  const bundles = spec.vcenters.flatMap(({ server, tls }) =>
    tls.caBundle === undefined ? [] : [[caFileName(server), base64(tls.caBundle)] as const],
  );
  const dataOf = (accountFor: typeof accountOf): Readonly<Record<string, string>> => ({
    [upstreamNames.csiConfigKey]: base64(writeCsiConfIni(config, { accountOf: accountFor })),
    ...Object.fromEntries(bundles),
  });
  const { csiConfigSecret: name } = upstreamNames;
  const metadata = { name, namespace: names.upstreamCsiNamespace, labels: driverLabels(context.release) };
  return {
    secret: { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: dataOf(accountOf) },
    // The Go programs watch the mounted file and log in again when an account in it changes: no pod restarts because of that.
    hash: contentHash(dataOf(() => none)),
  };
};

const featureStates = ({ release, namespace }: RenderContext): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: upstreamObjects.csiFeatures, namespace, labels: driverLabels(release) },
  data: upstreamCsiFeatures(release.version).states,
});

const driver = ({ release }: RenderContext): CsiDriver => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: names.csiDriver, labels: driverLabels(release) },
  spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: 'ReadWriteOnceWithFSType' },
});

/** All objects of the upstream storage driver, with the names of its own manifests, in the order in which they are applied. */
export const renderUpstreamCsi = (input: UpstreamCsiInput): readonly KubeObject[] => {
  const { secret, hash } = configSecret(input);
  const namespace = names.upstreamCsiNamespace;
  const context: RenderContext = { ...input.context, namespace, configHash: hash };
  return [
    privilegedNamespace(namespace),
    secret,
    featureStates(context),
    ...upstreamCsiAccess(context),
    driver(context),
    ...upstreamCsiController(context),
    upstreamCsiNode(context),
  ];
};
