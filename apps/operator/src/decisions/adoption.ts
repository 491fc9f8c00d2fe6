import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers, VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys } from '@vdo/config/names';
import type { ObjectRef } from '@vdo/kube/apply/object-ref';
import type { Component, ComponentObservation } from '../observation.ts';
import { formerManager } from './foreign-manager.ts';

const adoptAnnotation = annotationKeys.adopt;

const releases: Readonly<Record<string, string>> = {
  Helm: 'Make Helm forget the release without deleting its objects: kubectl delete secret -l owner=helm,name=RELEASE in its namespace.',
  'Argo CD': 'Remove the driver from the Argo CD Application without pruning: argocd app delete APP --cascade=false.',
  Flux: 'Remove the driver from the Kustomization or HelmRelease with prune: false.',
  OLM: 'Delete its Subscription and ClusterServiceVersion.',
  [formerManager]:
    'Stop it; its drivers keep running: kubectl -n vmware-system-vdo delete deployment vdo-controller-manager.',
};

/** Throws DriverManagedElsewhere if another tool manages a driver that the spec asks for. */
export const requireNoForeignManager = (
  resource: VSphereDrivers,
  running: readonly ComponentObservation[],
  spec: VSphereDriversSpec,
): void => {
  if (resource.metadata.annotations?.[adoptAnnotation] === 'true') return;
  const wanted = running.filter(({ component }) => (component === 'cpi' ? spec.cpi : spec.csi) !== undefined);
  const kept = wanted.find(({ manager }) => manager !== undefined);
  if (!kept?.manager) return;
  throw new VdoError({
    code: 'DriverManagedElsewhere',
    message: `${kept.kind} ${kept.namespace}/${kept.name} is managed by ${kept.manager}: VDO and ${kept.manager} would overwrite each other's changes`,
    remedy:
      `${releases[kept.manager] ?? ''} Afterwards, or to take it over now: kubectl annotate vspheredrivers ${resource.metadata.name} ${adoptAnnotation}=true`.trim(),
  });
};

/** Workloads of other tools that are removed when our workloads of the same component are applied. */
export const adoptedRefs = (
  running: readonly ComponentObservation[],
  moving: ReadonlySet<Component>,
): readonly ObjectRef[] =>
  running
    .filter(({ ours, component }) => !ours && moving.has(component))
    .map(({ kind, namespace, name, uid }) => ({
      apiVersion: 'apps/v1',
      kind,
      namespace,
      name,
      ...(uid ? { uid } : {}),
    }));
