import type { Attempt } from '@vdo/acts/attempt';
import { type DetachedDisk, detachDisks } from '@vdo/acts/disks/detach-disks';
import type { Found } from '@vdo/acts/evidence';
import { createBatch } from '@vdo/base/async/batch';
import type { Clock } from '@vdo/base/clock';
import { sharedOperationId } from '@vdo/base/traces';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { Outcome } from '@vdo/vsphere/cns/cns-types';
import { type AttachDoubts, stillComing } from './attach-doubts.ts';
import type { CallContext } from './call-context.ts';
import type { ClusterEvidence } from './cluster-evidence.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import type { DetachEvidence } from './detach-evidence.ts';
import type { NodeDisks } from './node-disks.ts';
import type { LocatedNode, NodeLocator } from './node-locator.ts';
import type { DetachPermit } from './permissions.ts';

export interface DetachDiskDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly nodes: NodeLocator;
  readonly disks: NodeDisks;
  readonly doubts: AttachDoubts;
  readonly evidence: Pick<ClusterEvidence, 'begin'>;
  readonly detachEvidence: DetachEvidence;
  readonly clock: Clock;
  /** How concurrent requests are combined to one call to vCenter. */
  readonly batching: { readonly windowMs: number; readonly maxItems: number };
}

/** One disk, and the context of the request to detach it. */
interface Wish {
  readonly volumeId: string;
  readonly handles: readonly [string, ...string[]];
  /** Undefined: the node that has it. */
  readonly nodeId: string | undefined;
  readonly attempt: Attempt;
  /** Undefined if the cache has no attachment for it. */
  readonly permit: DetachPermit | undefined;
  readonly context: CallContext;
}

interface Job extends Wish {
  readonly node: LocatedNode;
}

/** The outcome for a disk. `unsent`: no request was sent to vCenter. */
type Result = Outcome<undefined> | { readonly ok: 'unsent'; readonly error: VdoError };

const heldBySnapshot = (volumeId: string, vm: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `volume ${volumeId} cannot be detached: VM ${vm} has a snapshot that holds its disk`,
    remedy: `The driver retries automatically. If no backup of VM ${vm} is running, delete its snapshots in vCenter and consolidate its disks.`,
    cause,
  });

const notOurs = (volumeId: string, nodeId: string, vm: string): VdoError =>
  new VdoError({
    code: 'VolumeAttachedElsewhere',
    message: `volume ${volumeId} is not detached from VM ${vm}: the VM is running, and no Node of this cluster has its ID ${nodeId}`,
    remedy: `If this cluster is a copy of another one, delete the VolumeAttachment. If the Node was removed permanently, power off VM ${vm}.`,
  });

/** While the VM has a snapshot, vCenter writes to a delta disk such as `disk-000001.vmdk`. */
const isOfSnapshot = (fileName: string): boolean => /-\d{6}\.vmdk$/.test(fileName);

/** Nothing was sent, so no outcome has to be checked. */
const notPermitted = ['EvidenceMissing', 'ActRefused', 'LeaseLost', 'ClusterIdShared'] as const;

/** Detaches disks from VMs, on evidence that they are not needed there. */
export const createDetachDisk = (deps: DetachDiskDeps) => {
  const { vcenters, nodes, disks, doubts, evidence, detachEvidence, clock, batching } = deps;

  /** The VM by its present managed object reference, which changes if the VM is registered again. */
  const locate = ({ volumeId, nodeId }: Pick<Wish, 'volumeId' | 'nodeId'>, signal: AbortSignal, isFresh = false) =>
    nodeId === undefined
      ? disks.holderOf(volumeId, { signal, isComplete: true })
      : nodes.find(nodeId, { signal, isFresh });

  const disposalOf = async (job: Job, list: () => Promise<Found<VolumeAttachment>>): Promise<DetachedDisk> => {
    const { volumeId, handles, nodeId, attempt, permit, node, context } = job;
    const { attachments, csiNodes, isHeld } = permit
      ? await detachEvidence.attachmentsOf(permit, handles)
      : await detachEvidence.attachmentsAmong(attempt, await list(), handles);
    const disk = { attempt, volumeId, nodeId: nodeId ?? node.vm.uuid, vm: node.vm.ref, attachments, csiNodes };
    if (!isHeld) return disk;
    const lookedUp = await attempt.ask(
      `the VM of node ${disk.nodeId}`,
      async () => (await locate(job, context.lifetime, true))?.vm.ref,
    );
    return { ...disk, lookedUp };
  };

  const send = async (vcenter: CsiVCenter, jobs: readonly Job[]): Promise<readonly Result[]> => {
    // One list is sufficient for all requests without an attachment, because each of them began before it is sent.
    let listed: Promise<Found<VolumeAttachment>> | undefined;
    const list = (attempt: Attempt) => () => {
      listed ??= detachEvidence.everything(attempt);
      return listed;
    };
    const gathered = await Promise.all(
      jobs.map((job) =>
        disposalOf(job, list(job.attempt)).catch((error: unknown) => ({
          ok: 'unsent' as const,
          error: toVdoError(error),
        })),
      ),
    );
    const ready = gathered.flatMap((one) => ('ok' in one ? [] : [one]));
    const { lifetime: signal } = jobs[0]?.context ?? {};
    const operationId = sharedOperationId(jobs.flatMap(({ context }) => context.span ?? []));
    const outcomes = await detachDisks(vcenter, ready, { operationId, ...(signal ? { signal } : {}) });
    return gathered.map((one) => {
      if ('ok' in one) return one;
      const outcome = outcomes[ready.indexOf(one)];
      if (!outcome) throw new RangeError(`no outcome for volume ${one.volumeId}`);
      return outcome;
    });
  };

  const batchers = new Map(
    vcenters.map((vcenter) => [
      vcenter.server,
      createBatch<Job, Result>({ send: (jobs) => send(vcenter, jobs), clock, ...batching }),
    ]),
  );

  /**
   * A running VM that is not a node of this cluster may belong to another cluster with the same objects: this cluster may be a copy of it, or
   * may have been restored from a backup. Nothing is detached from such a VM.
   */
  const assertOurs = async (
    volumeId: string,
    nodeId: string,
    node: LocatedNode,
    signal: AbortSignal,
  ): Promise<void> => {
    if (nodes.isKnown(nodeId)) return;
    // The cached data of the VM may be minutes old, so its power state is read again.
    nodes.invalidate();
    const vm = (await nodes.find(nodeId, { signal }))?.vm;
    if (vm?.powerState !== 'poweredOn') return;
    const ours = (await nodes.all({ signal })).some((one) => one.vm.ref.value === vm.ref.value);
    if (!ours && (await disks.on(node, volumeId, signal))) throw notOurs(volumeId, nodeId, vm.name);
  };

  /** Undefined if it succeeded, otherwise vCenter's error. Throws if no request was sent. */
  const askVCenter = async (wish: Wish, node: LocatedNode): Promise<VdoError | undefined> => {
    const ask = batchers.get(node.vcenter.server);
    if (!ask) throw new RangeError(`no vCenter ${node.vcenter.server}`);
    // If a call failed as a whole, the outcome for each of its volumes has to be checked.
    const result = await ask({ ...wish, node }).catch((error: unknown) => ({
      ok: false as const,
      error: toVdoError(error),
    }));
    if (result.ok === true) return undefined;
    if (result.ok === 'unsent' || isVdoError(result.error, ...notPermitted)) throw result.error;
    return result.error;
  };

  const detachFrom = async (wish: Wish, node: LocatedNode): Promise<void> => {
    const { volumeId, nodeId, context } = wish;
    const { lifetime: signal } = context;
    const askedMs = clock.monotonicMs();
    const error = await askVCenter(wish, node);
    if (!error) return;
    if (nodeId !== undefined) doubts.noteFailure(volumeId, nodeId, { error, askedMs });
    // "Not found" may refer to the volume, the disk or the VM. What counts is whether the VM still has the disk.
    const isMissing = isVdoError(error, 'VolumeNotFound', 'VCenterObjectNotFound');
    const now = isMissing ? await locate(wish, signal, true) : node;
    if (!now) return;
    const disk = await disks.on(now, volumeId, signal);
    if (disk && isMissing && now.vm.ref.value !== node.vm.ref.value) return detachFrom(wish, now);
    if (disk) throw isOfSnapshot(disk.fileName) ? heldBySnapshot(volumeId, now.vm.name, error) : error;
    if (!isMissing) throw error;
  };

  /** The evidence that it may be detached, for a caller that does not provide it. */
  const permitOf = async (handles: readonly string[], nodeId: string | undefined, context: CallContext) => {
    if (context.detaching) return { attempt: context.detaching.attempt, permit: context.detaching };
    const attempt = evidence.begin('detach disk', handles[0] ?? '', context);
    const leaving = detachEvidence.leaving(handles, nodeId);
    return { attempt, permit: leaving && (await detachEvidence.permit(attempt, leaving, context)) };
  };

  /** Detaches from one node, or, without a node, from the node that has the disk. It is not an error if the disk is not attached. */
  return async (volumeId: string, nodeId: string | undefined, context: CallContext): Promise<void> => {
    const { lifetime: signal } = context;
    // A deleted VM has no disks: vCenter keeps container volumes when it deletes a VM. This must be checked in vCenter, not in the cache.
    const asked = { volumeId, nodeId };
    const node =
      (await locate(asked, signal)) ?? (nodeId === undefined ? undefined : await locate(asked, signal, true));
    if (!node) return;
    if (nodeId !== undefined) await assertOurs(volumeId, nodeId, node, signal);
    if (context.mayBeUnderWay && nodeId !== undefined) doubts.inherit(volumeId, nodeId, context.mayBeUnderWay);
    // This is checked first: otherwise a task that ends in between would be missed.
    const mayStillCome = await doubts.mayStillCome({ volumeId, nodeId }, node, { signal });
    const handles = [volumeId, ...(context.handle === undefined ? [] : [context.handle])] as const;
    await detachFrom({ volumeId, handles, nodeId, context, ...(await permitOf(handles, nodeId, context)) }, node);
    if (mayStillCome) throw stillComing(volumeId, node.vm.name);
  };
};
