import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import type { KubeObject } from '@vdo/kube/types/object';
import { parseQuantity } from '@vdo/kube/types/quantity';
import { parseKey } from '@vdo/kube/types/resource';
import { storageClasses } from '@vdo/kube/types/storage';
import { getIn, omit } from '../json.ts';
import { labelSelectorMatcher } from '../selectors/label-selector.ts';
import type { LocalApi } from './local-api.ts';
import { claimNames } from './pod-volumes.ts';
import type { SimController } from './run-controllers.ts';

/** NaN if the text is not a quantity: it is neither more nor less than any other. */
const bytesOf = (text: string | undefined): number => Number(parseQuantity(text ?? '') ?? Number.NaN);

const claimProtection = 'kubernetes.io/pvc-protection';
const volumeProtection = 'kubernetes.io/pv-protection';
const provisionerAnnotations = [
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
];
const selectedNode = 'volume.kubernetes.io/selected-node';

const claimKey = (volume: PersistentVolume): string | undefined => {
  const { claimRef } = volume.spec;
  return claimRef && `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`;
};

const isFor = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean => {
  const { claimRef } = volume.spec;
  const isNamed = claimRef?.name === claim.metadata.name && claimRef?.namespace === claim.metadata.namespace;
  return isNamed && (claimRef?.uid === undefined || claimRef.uid === claim.metadata.uid);
};

const satisfies = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean => {
  const modes = volume.spec.accessModes ?? [];
  const { selector } = claim.spec;
  return (
    volume.spec.claimRef === undefined &&
    volume.metadata.deletionTimestamp === undefined &&
    (volume.spec.storageClassName ?? '') === (claim.spec.storageClassName ?? '') &&
    (volume.spec.volumeMode ?? 'Filesystem') === (claim.spec.volumeMode ?? 'Filesystem') &&
    (claim.spec.accessModes ?? []).every((mode) => modes.includes(mode)) &&
    bytesOf(volume.spec.capacity?.storage) >= bytesOf(claim.spec.resources?.requests?.storage) &&
    (selector === undefined || labelSelectorMatcher(selector)(volume.metadata.labels ?? {}))
  );
};

const bySize = (a: PersistentVolume, b: PersistentVolume): number =>
  bytesOf(a.spec.capacity?.storage) - bytesOf(b.spec.capacity?.storage);

const withAnnotations = <T extends KubeObject>(object: T, annotations: Readonly<Record<string, string>>): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
});

const withoutFinalizer = <T extends KubeObject>(object: T, finalizer: string): T => ({
  ...object,
  metadata: { ...object.metadata, finalizers: (object.metadata.finalizers ?? []).filter((name) => name !== finalizer) },
});

/** Binds claims and volumes, assigns claims to provisioners, and protects objects in use. */
export const createVolumeBinder = (api: LocalApi): SimController => {
  const bind = (claim: PersistentVolumeClaim, volume: PersistentVolume): void => {
    const { name, namespace, uid } = claim.metadata;
    const claimRef = {
      ...volume.spec.claimRef,
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      ...(name && { name }),
      ...(namespace && { namespace }),
      ...(uid && { uid }),
    };
    api.update(persistentVolumes, volume, (found) => ({ ...found, spec: { ...found.spec, claimRef } }));
    const volumeName = volume.metadata.name ?? '';
    api.update(persistentVolumeClaims, claim, (found) =>
      withAnnotations(
        { ...found, spec: { ...found.spec, volumeName } },
        { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' },
      ),
    );
    finishBinding(claim, volumeName);
  };
  const finishBinding = (claim: PersistentVolumeClaim, volumeName: string): void => {
    const volume = api.get(persistentVolumes, { name: volumeName });
    const bound = api.get(persistentVolumeClaims, {
      name: claim.metadata.name ?? '',
      namespace: claim.metadata.namespace ?? '',
    });
    if (!volume || !bound || !isFor(volume, bound)) return;
    api.updateStatus(persistentVolumes, volume, { phase: 'Bound' });
    const { capacity, accessModes } = volume.spec;
    // The capacity of a bound claim is changed by the resizer.
    const shown = bound.status?.phase === 'Bound' ? bound.status.capacity : capacity;
    const rest = omit({ ...bound.status }, 'phase', 'capacity', 'accessModes');
    api.updateStatus(persistentVolumeClaims, bound, {
      ...rest,
      phase: 'Bound',
      ...(accessModes && { accessModes }),
      ...(shown && { capacity: shown }),
    });
  };

  /** Marks an unbound claim for its class's provisioner, which watches for the annotation. */
  const askProvisioner = (claim: PersistentVolumeClaim): void => {
    const storageClass = api.get(storageClasses, { name: claim.spec.storageClassName ?? '' });
    if (!storageClass) return;
    const isWaiting =
      storageClass.volumeBindingMode === 'WaitForFirstConsumer' && !claim.metadata.annotations?.[selectedNode];
    if (isWaiting) return;
    const annotations = Object.fromEntries(provisionerAnnotations.map((name) => [name, storageClass.provisioner]));
    api.update(persistentVolumeClaims, claim, (found) => withAnnotations(found, annotations));
  };

  const isUsed = (claim: PersistentVolumeClaim): boolean =>
    api
      .list(pods, claim.metadata.namespace)
      .filter(({ status }) => !['Succeeded', 'Failed'].includes(status?.phase ?? ''))
      .some((pod) => claimNames(pod).includes(claim.metadata.name ?? ''));

  /** A claim that names its volume: finishes the binding, or reports that the volume is lost. */
  const keepBound = (claim: PersistentVolumeClaim, volumeName: string): void => {
    const volume = api.get(persistentVolumes, { name: volumeName });
    const isLost = !volume && claim.status?.phase === 'Bound';
    if (isLost) api.updateStatus(persistentVolumeClaims, claim, { ...claim.status, phase: 'Lost' });
    if (!volume) return;
    if (isFor(volume, claim) && volume.spec.claimRef?.uid !== undefined) finishBinding(claim, volumeName);
    else if (volume.spec.claimRef === undefined || isFor(volume, claim)) bind(claim, volume);
  };
  const findVolume = (claim: PersistentVolumeClaim): PersistentVolume | undefined => {
    const all = api.list(persistentVolumes);
    return (
      all.find((volume) => isFor(volume, claim)) ?? all.filter((volume) => satisfies(volume, claim)).sort(bySize)[0]
    );
  };
  const reconcileClaim = (claim: PersistentVolumeClaim): void => {
    if (claim.metadata.deletionTimestamp !== undefined) {
      if (isUsed(claim)) return;
      api.update(persistentVolumeClaims, claim, (found) => withoutFinalizer(found, claimProtection));
    } else if (claim.spec.volumeName !== undefined) keepBound(claim, claim.spec.volumeName);
    else {
      const volume = findVolume(claim);
      if (volume) bind(claim, volume);
      else askProvisioner(claim);
    }
  };

  const reconcileVolume = (volume: PersistentVolume): void => {
    const key = claimKey(volume);
    const claim = key === undefined ? undefined : api.get(persistentVolumeClaims, parseKey(key));
    const isClaimed = claim !== undefined && isFor(volume, claim);
    if (volume.metadata.deletionTimestamp !== undefined) {
      const isBound = isClaimed && claim.spec.volumeName === volume.metadata.name;
      if (isBound) return;
      // What other finalizers still hold is released like any other: a provisioner waits for that.
      if (volume.metadata.finalizers?.includes(volumeProtection)) {
        api.update(persistentVolumes, volume, (found) => withoutFinalizer(found, volumeProtection));
        return;
      }
    }
    if (key === undefined) api.updateStatus(persistentVolumes, volume, { phase: 'Available' });
    else if (isClaimed) reconcileClaim(claim);
    else if (volume.spec.claimRef?.uid !== undefined)
      api.updateStatus(persistentVolumes, volume, { phase: 'Released' });
  };

  return {
    name: 'volume-binder',
    keysOf: ({ type, bucket, object: { metadata, ...object } }) => {
      const { name = '', namespace = '' } = metadata;
      if (bucket === '/persistentvolumeclaims') {
        const bound = getIn(object, ['spec', 'volumeName']);
        // A volume may exist for a claim whose volumeName was never set.
        const left = type === 'DELETED' ? api.list(persistentVolumes) : [];
        const waiting = left.filter((volume) => claimKey(volume) === `${namespace}/${name}`);
        const volumes = new Set([
          ...(typeof bound === 'string' ? [bound] : []),
          ...waiting.map((volume) => volume.metadata.name ?? ''),
        ]);
        return [`claim:${namespace}/${name}`, ...[...volumes].map((volume) => `volume:${volume}`)];
      }
      const pending = () => api.list(persistentVolumeClaims).filter((claim) => claim.spec.volumeName === undefined);
      const keys = (claims: readonly PersistentVolumeClaim[]) =>
        claims.map((claim) => `claim:${claim.metadata.namespace}/${claim.metadata.name}`);
      if (bucket === '/persistentvolumes') return [`volume:${name}`, ...keys(pending())];
      if (bucket === 'storage.k8s.io/storageclasses') return keys(pending());
      const isPod = bucket === '/pods';
      return isPod
        ? keys(
            api
              .list(persistentVolumeClaims, namespace)
              .filter((claim) => claim.metadata.deletionTimestamp !== undefined),
          )
        : [];
    },
    reconcile: (text) => {
      const [kind, key = ''] = text.split(/:(.*)/s);
      const claim = kind === 'claim' ? api.get(persistentVolumeClaims, parseKey(key)) : undefined;
      const volume = kind === 'volume' ? api.get(persistentVolumes, { name: key }) : undefined;
      if (claim) reconcileClaim(claim);
      if (volume) reconcileVolume(volume);
      return undefined;
    },
  };
};
