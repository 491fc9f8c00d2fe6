import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import { type PersistentVolumeClaim, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import type { CallContext } from '../../volumes/call-context.ts';
import type { ProvisionedVolume, Volumes } from '../../volumes/volumes.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { eventMessage, recheckLater } from '../event-message.ts';
import {
  annotations,
  type ClaimDecision,
  decideClaim,
  decideTopology,
  type PersistentVolumeInput,
  stillToCome,
  toNewVolume,
  toPersistentVolume,
  volumeNameOf,
} from './claims.ts';
import { type DataSource, protectSource, resolveAttributes, resolveDataSource } from './data-source.ts';

export interface ProvisionClaimDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly volumes: Pick<Volumes, 'createVolume' | 'handOver' | 'acknowledge'>;
  /** Cleans up the intent of a volume that could not be removed. */
  readonly lookAfter: (volumeName: string) => void;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly clock: Clock;
  /** Whether topology is configured. */
  readonly topology: boolean;
  /** Recorded in the volumes' attributes. */
  readonly identity: string;
}

const servedMeanwhile = ({ metadata }: PersistentVolumeClaim): VdoError =>
  new VdoError({
    code: 'KubeConflict',
    message: `claim ${metadata.namespace}/${metadata.name} was provisioned or deleted after the controller cached it`,
    remedy: 'No action needed: it is processed again when the watch of claims has caught up.',
  });

type Provision = Extract<ClaimDecision, { readonly action: 'provision' }>;

interface Waiting {
  readonly uid: string;
  readonly sinceMs: number;
}

/**
 * While the driver starts, the scheduler selects nodes on which it has not registered yet. A claim waits this long for the registration before
 * it fails and the scheduler selects again.
 */
const registrationMs = 30_000;
/** The labels of a node come by another watch than its registration, and a change of labels enqueues no claim. */
const labelsMs = 1_000;

/** Creates the volume and the PersistentVolume for a claim. Each step can be repeated. */
export const createClaimProvisioner = (deps: ProvisionClaimDeps): Reconcile => {
  const { kube, informers, volumes, events, fence, clock, topology, identity } = deps;

  /** Key of a claim → since when it waits for the driver to register on its selected node. Each attempt takes it out, and only waiting puts it in. */
  const waitingSince = new Map<string, Waiting>();

  /** After how long to look again whether the driver has registered on the claim's selected node; 0 if the claim does not wait. */
  const registrationWaitMs = (key: string, uid: string, { selectedNode }: Provision, waited?: Waiting): number => {
    if (!topology || selectedNode === undefined) return 0;
    const missing = stillToCome(informers.nodes.get(selectedNode), informers.csiNodes.get(selectedNode));
    if (!missing) return 0;
    const nowMs = clock.monotonicMs();
    const sinceMs = waited?.uid === uid ? waited.sinceMs : nowMs;
    const leftMs = sinceMs + registrationMs - nowMs;
    if (leftMs <= 0) return 0;
    waitingSince.set(key, { uid, sinceMs });
    return missing === 'labels' ? Math.min(leftMs, labelsMs) : leftMs;
  };

  const requestVolume = async (
    claim: PersistentVolumeClaim,
    { storageClass, selectedNode }: Provision,
    source: DataSource,
    context: CallContext,
  ): Promise<ProvisionedVolume> => {
    const topologies = topology
      ? decideTopology({
          claimName: claim.metadata.name ?? '',
          storageClass,
          ...(selectedNode ? { selectedNode } : {}),
          nodes: informers.nodes.list(),
          csiNodes: informers.csiNodes.list(),
        })
      : [];
    const mutableParameters = await resolveAttributes(claim, deps, context.lifetime);
    const wanted = toNewVolume({
      claim,
      storageClass,
      topologies,
      ...(source.kind === 'copy' ? { source: source.source } : {}),
      ...(mutableParameters ? { mutableParameters } : {}),
    });
    return volumes.createVolume({ ...wanted, confirm: () => assertAsking(claim, context.lifetime) }, context);
  };

  /**
   * The caches may be outdated: another leader may have provisioned the claim, and its user may have deleted it and kept the disk. An intent or
   * a new PersistentVolume would then take that disk. The PersistentVolume is read first and the claim second: if the claim still requests a
   * volume after that, no PersistentVolume was created and deleted in between.
   */
  const assertAsking = async (claim: PersistentVolumeClaim, signal: AbortSignal): Promise<void> => {
    const { name = '', namespace = '', uid } = claim.metadata;
    const recorded = await kube.find(persistentVolumes, { name: volumeNameOf(claim) }, { signal });
    const now = recorded ? undefined : await kube.find(persistentVolumeClaims, { name, namespace }, { signal });
    if (now?.metadata.uid !== uid || now?.spec.volumeName) throw servedMeanwhile(claim);
  };

  const record = async (made: Omit<PersistentVolumeInput, 'identity'>, signal: AbortSignal): Promise<void> => {
    const object = toPersistentVolume({ ...made, identity });
    await kube.create(persistentVolumes, object, { signal }).catch((error) => {
      // An earlier attempt recorded it, but stopped before it reported success.
      if (!isVdoError(error, 'KubeAlreadyExists')) throw error;
    });
  };

  // The scheduler selected a node without enough free space. Removing the selection makes the scheduler select again.
  const reschedule = async (claim: PersistentVolumeClaim, signal: AbortSignal): Promise<void> => {
    const { name = '', namespace = '', resourceVersion } = claim.metadata;
    const metadata = { resourceVersion, annotations: { [annotations.selectedNode]: null } };
    await kube.patch(persistentVolumeClaims, { name, namespace }, { type: 'merge', body: { metadata } }, { signal });
  };

  const fail = async (
    claim: PersistentVolumeClaim,
    decision: ClaimDecision | undefined,
    cause: unknown,
    signal: AbortSignal,
  ): Promise<never> => {
    const error = toVdoError(cause);
    if (signal.aborted || error.code === 'KubeConflict') throw error;
    const message = `failed to provision volume: ${eventMessage(error)}`;
    events.record(claim, { type: 'Warning', reason: 'ProvisioningFailed', message });
    const selected = decision?.action === 'provision' && decision.selectedNode !== undefined;
    const elsewhere = error.code === 'VolumeNoDatastore' || error.code === 'DatastoreFull';
    if (selected && topology && elsewhere) await reschedule(claim, signal);
    throw recheckLater(error);
  };

  return async (key, { signal }) => {
    const waited = waitingSince.get(key);
    waitingSince.delete(key);
    const claim = informers.claims.get(key);
    if (!claim) return undefined;
    const name = volumeNameOf(claim);
    const context: CallContext = { signal, lifetime: signal, fence };
    let decision: ClaimDecision | undefined;
    try {
      decision = decideClaim({
        claim,
        findClass: (className) => informers.classes.get(className),
        volumeExists: informers.volumes.get(name) !== undefined,
      });
      if (decision.action === 'ignore') return undefined;
      const waitMs = registrationWaitMs(key, claim.metadata.uid ?? '', decision, waited);
      // Registration changes the CSINode, which enqueues the claim earlier.
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      const source = await resolveDataSource(claim, deps, signal);
      // A volume populator fills its own volume and hands it over.
      if (source.kind === 'foreign') return undefined;
      if (source.kind === 'copy' && source.claim) await protectSource(kube, source.claim, signal);
      const volume = await requestVolume(claim, decision, source, context);
      // The volume is no longer requested. It was not handed over, so the cleanup of abandoned intents can still delete it, with its own evidence.
      if (informers.claims.get(key)?.metadata.uid !== claim.metadata.uid) {
        deps.lookAfter(name);
        return undefined;
      }
      // The hand-over is recorded before the PersistentVolume is created: as soon as a PersistentVolume may exist, only its owner decides about the disk.
      const instanceUuid = await volumes.handOver(name, volume.id, context);
      await record({ claim, storageClass: decision.storageClass, volume, instanceUuid }, signal);
    } catch (error) {
      return fail(claim, decision, error, signal);
    }
    await volumes.acknowledge(name, context).catch(() => deps.lookAfter(name));
    const message = `successfully provisioned volume ${name}`;
    events.record(claim, { type: 'Normal', reason: 'ProvisioningSucceeded', message });
    return undefined;
  };
};
