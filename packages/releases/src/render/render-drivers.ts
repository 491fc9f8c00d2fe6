import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { topologyLabelsOf } from '@vdo/config/driver-config-from-spec';
import type { Namespace } from '@vdo/kube/types/core';
import type { AnyObject, KubeObject } from '@vdo/kube/types/object';
import type { Release } from '../matrix.ts';
import { credentialsSecret, type ServerAccount } from './credentials-secret.ts';
import { driverConfigMap } from './driver-config-map.ts';
import { managedLabels } from './labels.ts';
import { names } from './names.ts';
import { renderNativeCpi } from './native-cpi.ts';
import { renderNativeCsi } from './native-csi.ts';
import type { RenderContext } from './render-context.ts';
import { renderStorageClasses } from './storage-classes.ts';
import { requireServed } from './unserved-settings.ts';

export interface RenderInput {
  readonly spec: VSphereDriversSpec;
  /** The chosen releases; a driver without one is not rendered. */
  readonly releases: { readonly cpi?: Release; readonly csi?: Release };
  /** The accounts behind the Secrets that the spec names. */
  readonly accounts: readonly ServerAccount[];
  /** Default vmware-system-vdo. */
  readonly namespace?: string;
  /** The id generated for this cluster, unless the spec names one. */
  readonly clusterId?: string;
}

/** Pods on the host network and with mounts need the privileged level; the operator itself runs restricted. */
const namespaceObject = (name: string): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: {
      ...managedLabels,
      'pod-security.kubernetes.io/enforce': 'privileged',
      'pod-security.kubernetes.io/audit': 'privileged',
      'pod-security.kubernetes.io/warn': 'privileged',
    },
  },
});

const requireLayout = (release: Release, layout: string): void => {
  if (release.layout === layout) return;
  throw new VdoError({
    code: 'ReleaseLayoutUnknown',
    message: `release ${release.distribution} ${release.driver} ${release.version} has layout ${release.layout}; this operator builds ${layout}`,
    remedy: `Upgrade the operator${release.minOperator === undefined ? '' : ` to ${release.minOperator} or later`}.`,
  });
};

// Spreading makes a plain object of the typed one, which the applier takes whatever its kind.
const plain = (object: KubeObject): AnyObject => ({ ...object });

/** Everything that should exist in the cluster, credentials included, in the order in which it is applied. */
export const renderDrivers = (input: RenderInput): readonly AnyObject[] => {
  const { spec, releases, namespace = names.namespace } = input;
  requireServed(spec);
  const config = driverConfigMap(spec, {
    namespace,
    ...(input.clusterId === undefined ? {} : { clusterId: input.clusterId }),
  });
  const context = (release: Release): RenderContext => ({
    release,
    namespace,
    images: spec.images,
    advanced: spec.advanced,
    configHash: config.hash,
    topologyLabels: topologyLabelsOf(spec),
  });
  const objects: KubeObject[] = [
    namespaceObject(namespace),
    config.object,
    credentialsSecret(input.accounts, namespace),
  ];
  if (spec.cpi && releases.cpi) {
    requireLayout(releases.cpi, 'native-cpi-1');
    objects.push(...renderNativeCpi(spec.cpi, context(releases.cpi)));
  }
  if (spec.csi && releases.csi) {
    requireLayout(releases.csi, 'native-csi-1');
    objects.push(...renderNativeCsi(spec.csi, context(releases.csi)), ...renderStorageClasses(spec.csi.storageClasses));
  }
  return objects.map(plain);
};
