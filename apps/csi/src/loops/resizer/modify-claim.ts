import type { Clock } from '@vdo/base/clock';
import type { Fence } from '@vdo/base/fence';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { KubeClient } from '@vdo/kube/client';
import type { Reconcile } from '@vdo/kube/controller';
import type { EventRecorder } from '@vdo/kube/events';
import { type PersistentVolumeClaim, persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttributesClasses } from '@vdo/kube/types/storage';
import { driverName } from '../../driver.ts';
import type { Volumes } from '../../volumes/volumes.ts';
import type { ClusterInformers } from '../cluster-informers.ts';
import { eventMessage, recheckLater } from '../event-message.ts';
import { createClaimStatusWriter } from './claim-status.ts';
import { decideModify, type ModifyDecision, modifyConditions } from './decide-modify.ts';
import { isMistaken } from './infeasible.ts';

export interface ModifyClaimDeps {
  readonly kube: KubeClient;
  readonly informers: ClusterInformers;
  readonly volumes: Pick<Volumes, 'controllerModifyVolume'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly fence: Fence;
  readonly clock: Clock;
}

type Modify = Extract<ModifyDecision, { readonly action: 'modify' }>;

const ownConditions = Object.values(modifyConditions);

const classMissing = (name: string): VdoError =>
  new VdoError({
    code: 'KubeNotFound',
    message: `VolumeAttributesClass ${name} does not exist`,
    remedy: `Create it, or set spec.volumeAttributesClassName of the claim to another class.`,
    retry: 'backoff',
  });

const classForeign = (name: string, driver: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `VolumeAttributesClass ${name} is for driver ${driver}, but the driver of the volume is ${driverName}`,
    remedy: `Use a class whose driverName is ${driverName}.`,
    retry: 'on-change',
  });

/** Applies the VolumeAttributesClass of a claim to its volume. */
export const createClaimModifier = (deps: ModifyClaimDeps): Reconcile => {
  const { kube, informers, volumes, events, fence } = deps;
  const writer = createClaimStatusWriter(deps);
  /** Claims whose change may still be in progress in vCenter. */
  const uncertain = new Set<string>();

  const parametersOf = async (className: string, signal: AbortSignal) => {
    const found = await kube.find(volumeAttributesClasses, { name: className }, { signal });
    if (!found) throw classMissing(className);
    if (found.driverName !== driverName) throw classForeign(className, found.driverName);
    return { ...found.parameters };
  };
  const mark = (claim: PersistentVolumeClaim, status: string, className: string, error: VdoError | undefined) => ({
    modifyVolumeStatus: { status, targetVolumeAttributesClassName: className },
    conditions: writer.conditions(claim, ownConditions, [
      {
        type: modifyConditions.modifying,
        message: `Modifying volume to "${className}" ${error ? 'failed; the driver retries' : 'is in progress'}`,
      },
      ...(error ? [{ type: modifyConditions.error, reason: error.code, message: eventMessage(error) }] : []),
    ]),
  });

  const modify = async (claim: PersistentVolumeClaim, { volume, className }: Modify, signal: AbortSignal) => {
    const mutableParameters = await parametersOf(className, signal).catch(async (cause: unknown) => {
      const error = toVdoError(cause);
      const reported = claim.status?.modifyVolumeStatus;
      const isListed = reported?.status === 'Infeasible' && reported.targetVolumeAttributesClassName === className;
      if (isMistaken(error) && !isListed)
        await writer.write(claim, mark(claim, 'Infeasible', className, error), signal);
      throw error;
    });
    const begun = await writer.write(claim, mark(claim, 'InProgress', className, undefined), signal);
    const key = `${claim.metadata.namespace}/${claim.metadata.name}`;
    const volumeId = volume.spec.csi?.volumeHandle ?? '';
    try {
      const context = { signal, lifetime: signal, fence };
      await volumes.controllerModifyVolume({ volumeId, mutableParameters }, context);
    } catch (cause) {
      const error = toVdoError(cause);
      if (signal.aborted) throw error;
      if (error.effect === 'none') uncertain.delete(key);
      else uncertain.add(key);
      const status = isMistaken(error) ? 'Infeasible' : 'InProgress';
      await writer.write(begun, mark(begun, status, className, error), signal);
      throw error;
    }
    uncertain.delete(key);
    // The PersistentVolume is written first, so that it also records the change when the claim reports success.
    const body = { spec: { volumeAttributesClassName: className } };
    await kube.patch(persistentVolumes, { name: volume.metadata.name ?? '' }, { type: 'merge', body }, { signal });
    const conditions = writer.conditions(begun, ownConditions, []);
    const done = { modifyVolumeStatus: null, currentVolumeAttributesClassName: className, conditions };
    await writer.write(begun, done, signal);
    const message = `the volume was changed to VolumeAttributesClass ${className}`;
    events.record(claim, { type: 'Normal', reason: 'VolumeModifySuccessful', message });
  };

  return async (key, { signal }) => {
    const claim = informers.claims.get(key);
    if (!claim) {
      uncertain.delete(key);
      return undefined;
    }
    const volume = informers.volumes.get(claim.spec.volumeName ?? '');
    const decision = decideModify(claim, volume, { uncertain: uncertain.has(key) });
    if (decision.action === 'ignore') return undefined;
    if (decision.action === 'cancel') {
      const conditions = writer.conditions(claim, [modifyConditions.modifying], []);
      await writer.write(claim, { conditions }, signal);
      return undefined;
    }
    try {
      await modify(claim, decision, signal);
    } catch (cause) {
      const error = toVdoError(cause);
      if (!signal.aborted && error.code !== 'KubeConflict')
        events.record(claim, { type: 'Warning', reason: 'VolumeModifyFailed', message: eventMessage(error) });
      throw recheckLater(error);
    }
    return undefined;
  };
};
