import { createBatch } from '@vdo/base/async/batch';
import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import type { Clock } from '@vdo/base/clock';
import { effectOf, isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CallContext } from '@vdo/csi-proto/rpc/call-context';
import type { Outcome, VolumeOnVm } from '@vdo/vsphere/cns/cns-types';
import { createAttachDoubts, stillComing } from './attach-doubts.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import type { LocatedNode, NodeLocator } from './node-locator.ts';
import type { Volume, VolumeService } from './volume.ts';
import { volumeNotFound } from './volume-not-found.ts';

export interface AttachedDisk {
  /** Lower case, no hyphens. */
  readonly diskUuid: string;
  readonly volume: Volume;
}

/** Disks of node VMs. All operations may be repeated at any time. */
export interface AttachmentService {
  /** `check` may refuse the volume before it is attached. */
  attach(
    volumeId: string,
    nodeId: string,
    context: CallContext,
    check?: (volume: Volume) => void,
  ): Promise<AttachedDisk>;
  /** From one node, or from whichever has it if no node is named. What is not attached is detached already. */
  detach(volumeId: string, nodeId: string | undefined, context: CallContext): Promise<void>;
}

export interface AttachmentServiceDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly volumes: Pick<VolumeService, 'find'>;
  readonly nodes: NodeLocator;
  readonly clock: Clock;
}

interface Job extends VolumeOnVm {
  readonly context: CallContext;
}

const nodeNotFound = (nodeId: string): VdoError =>
  new VdoError({
    code: 'NodeVmNotFound',
    message: `no configured vCenter has the VM of node ${nodeId}`,
    remedy: 'Check that the VM exists, that its datacenter is configured, and that the user may read it.',
  });

const otherVCenter = (volume: Volume, { vm }: LocatedNode): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `volume ${volume.id} is on vCenter ${volume.server}, VM ${vm.name} on ${vm.server}`,
    remedy: 'Use topology, so that pods run where their volumes are.',
  });

const elsewhere = (volumeId: string, vm: string, holder: string): VdoError =>
  new VdoError({
    code: 'VolumeAttachedElsewhere',
    message: `volume ${volumeId} cannot be attached to VM ${vm}: ${holder} has it`,
    remedy:
      'It is tried again until the other one lets go. If that node is dead for good, shut its VM down and taint the Node with node.kubernetes.io/out-of-service.',
  });

/** Short enough for nobody to notice; CNS serves this many at once. */
const batching = { windowMs: 5, maxItems: 32 };

/** CNS adds SCSI controllers by itself, up to four, and says of the next disk that a controller is missing. */
const isNoSlot = (error: unknown): boolean =>
  isVdoError(error) &&
  (/\b(scsi|free) slot\b|missing scsi controller/i.test(error.message) ||
    (/scsi controller/i.test(error.message) && /\blimit\b/i.test(error.message)));

const disksFull = (volumeId: string, vm: string, disks: number, cause: unknown): VdoError =>
  new VdoError({
    code: 'NodeDisksFull',
    message: `volume ${volumeId} cannot be attached: VM ${vm} has ${disks} disks and no free slot`,
    remedy: `Move pods to other nodes, or lower --max-volumes of the node role to what fits VM ${vm}: volumes go on paravirtual SCSI controllers only, of which a VM takes four with 15 disks each (64 if vCenter 8 has pvscsiCtrlr256DiskSupportEnabled on).`,
    cause,
  });

const heldBySnapshot = (volumeId: string, vm: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'VolumeBusy',
    message: `volume ${volumeId} cannot be detached: VM ${vm} has a snapshot that holds its disk`,
    remedy: `It is tried again by itself. If no backup of VM ${vm} is running, delete its snapshots in vCenter and consolidate its disks.`,
    cause,
  });

const notOurs = (volumeId: string, nodeId: string, vm: string): VdoError =>
  new VdoError({
    code: 'VolumeAttachedElsewhere',
    message: `volume ${volumeId} is not taken from VM ${vm}: it runs, and no Node of this cluster has its id ${nodeId}`,
    remedy: `If this cluster is a copy of another one, delete the VolumeAttachment. If the Node was removed for good, power off VM ${vm}.`,
  });

/** vCenter writes to `disk-000001.vmdk` while a snapshot of the VM keeps the disk as it was. */
const isOfSnapshot = (fileName: string): boolean => /-\d{6}\.vmdk$/.test(fileName);

/** A call that failed as a whole is, for each of its volumes, one more reason to look what became of it. */
const settled = <T>(call: Promise<Outcome<T>> | undefined): Promise<Outcome<T> | undefined> =>
  Promise.resolve(call).catch((error: unknown) => ({ ok: false as const, error: toVdoError(error) }));

/** Attaches and detaches; what comes at the same time goes to vCenter as one call. Operations on one volume follow each other. */
export const createAttachmentService = (deps: AttachmentServiceDeps): AttachmentService => {
  const { vcenters, volumes, nodes, clock } = deps;
  const locks = createKeyedLock();
  const doubts = createAttachDoubts(deps);
  // The jobs of a batch end together; it is sent only while all who asked may ask.
  const shared = (jobs: readonly Job[]) => ({
    signal: jobs[0]?.context.lifetime ?? AbortSignal.abort(),
    fence: {
      assertHeld: () => {
        for (const { context } of jobs) context.fence.assertHeld();
      },
    },
  });
  const batchers = new Map(
    vcenters.map((vcenter) => [
      vcenter.server,
      {
        attach: createBatch<Job, Outcome<string>>({
          send: (jobs) => vcenter.cns.attach(jobs, shared(jobs)),
          clock,
          ...batching,
        }),
        detach: createBatch<Job, Outcome<undefined>>({
          send: (jobs) => vcenter.cns.detach(jobs, shared(jobs)),
          clock,
          ...batching,
        }),
      },
    ]),
  );

  const vcenterDisks = async ({ vcenter, vm }: LocatedNode, signal: AbortSignal) =>
    (await vcenter.disks.of([vm.ref], { signal })).get(vm.ref.value);
  const diskOn = async (node: LocatedNode, volumeId: string, signal: AbortSignal) =>
    (await vcenterDisks(node, signal))?.find((disk) => disk.volumeId === volumeId);

  const holderOf = async (
    volumeId: string,
    options: { readonly signal: AbortSignal; readonly isComplete?: boolean },
  ): Promise<LocatedNode | undefined> => {
    const { signal } = options;
    const all = await nodes.all(options);
    for (const vcenter of vcenters) {
      const own = all.filter((node) => node.vcenter.server === vcenter.server);
      const disks = await vcenter.disks.of(
        own.map(({ vm }) => vm.ref),
        { signal },
      );
      const holder = own.find(({ vm }) => disks.get(vm.ref.value)?.some((disk) => disk.volumeId === volumeId));
      if (holder) return holder;
    }
    return undefined;
  };

  const whyNot = async (
    volumeId: string,
    { vm }: LocatedNode,
    { error, disks, signal }: { readonly error: unknown; readonly disks: number; readonly signal: AbortSignal },
  ): Promise<unknown> => {
    if (isNoSlot(error)) return disksFull(volumeId, vm.name, disks, error);
    if (!isVdoError(error, 'VCenterBusy')) return error;
    const holder = await holderOf(volumeId, { signal });
    return holder ? elsewhere(volumeId, vm.name, `VM ${holder.vm.name}`) : error;
  };

  const beginDoubt = (volumeId: string, nodeId: string, error: unknown): void => {
    if (effectOf(error) !== 'unknown') return;
    doubts.begin(volumeId, nodeId, { forgotten: isVdoError(error, 'VCenterTaskForgotten') });
  };

  const attach: AttachmentService['attach'] = async (volumeId, nodeId, context, check) => {
    const { lifetime: signal } = context;
    const volume = await volumes.find(volumeId, context);
    if (!volume) throw volumeNotFound(volumeId);
    check?.(volume);
    const node = await nodes.find(nodeId, { signal });
    if (!node) throw nodeNotFound(nodeId);
    if (node.vcenter.server !== volume.server) throw otherVCenter(volume, node);
    const outcome = await settled(batchers.get(volume.server)?.attach({ volumeId, vm: node.vm.ref, context }));
    if (outcome?.ok) return { diskUuid: outcome.value, volume };
    const noteDoubt = () => beginDoubt(volumeId, nodeId, outcome?.error);
    // It may be attached: by an earlier try that did not live to tell, or to another VM. A vCenter that is away tells neither.
    const disks = await vcenterDisks(node, signal).catch((error: unknown) => {
      noteDoubt();
      throw error;
    });
    const disk = disks?.find((one) => one.volumeId === volumeId);
    if (disk) return { diskUuid: disk.diskUuid, volume };
    noteDoubt();
    if (isVdoError(outcome?.error, 'VCenterObjectNotFound')) nodes.invalidate();
    throw await whyNot(volumeId, node, { error: outcome?.error, disks: disks?.length ?? 0, signal });
  };

  /**
   * A running VM that is no node of this cluster may be one of another cluster that has the same objects: this one may be a copy of it,
   * or restored from a backup. Nothing is taken from it.
   */
  const assertOurs = async (
    volumeId: string,
    nodeId: string,
    node: LocatedNode,
    signal: AbortSignal,
  ): Promise<void> => {
    if (nodes.isKnown(nodeId)) return;
    // What is remembered of the VM may be minutes old; whether it runs now decides.
    nodes.invalidate();
    const vm = (await nodes.find(nodeId, { signal }))?.vm;
    if (vm?.powerState !== 'poweredOn') return;
    const ours = (await nodes.all({ signal })).some((one) => one.vm.ref.value === vm.ref.value);
    if (!ours && (await diskOn(node, volumeId, signal))) throw notOurs(volumeId, nodeId, vm.name);
  };

  /** The VM by its reference of now: one that was registered anew has its disks under another. */
  const locate = (volumeId: string, nodeId: string | undefined, signal: AbortSignal, isFresh = false) =>
    nodeId === undefined ? holderOf(volumeId, { signal, isComplete: true }) : nodes.find(nodeId, { signal, isFresh });

  const detachFrom = async (
    volumeId: string,
    nodeId: string | undefined,
    node: LocatedNode,
    context: CallContext,
  ): Promise<void> => {
    const { lifetime: signal } = context;
    const outcome = await settled(batchers.get(node.vcenter.server)?.detach({ volumeId, vm: node.vm.ref, context }));
    if (outcome?.ok) return;
    if (nodeId !== undefined) beginDoubt(volumeId, nodeId, outcome?.error);
    // "Not found" may mean the volume, the disk or the VM; what counts is whether the VM, as it is known now, still has it.
    const isMissing = isVdoError(outcome?.error, 'VolumeNotFound', 'VCenterObjectNotFound');
    const now = isMissing ? await locate(volumeId, nodeId, signal, true) : node;
    if (!now) return;
    const disk = await diskOn(now, volumeId, signal);
    if (disk && isMissing && now.vm.ref.value !== node.vm.ref.value) return detachFrom(volumeId, nodeId, now, context);
    if (disk)
      throw isOfSnapshot(disk.fileName) ? heldBySnapshot(volumeId, now.vm.name, outcome?.error) : outcome?.error;
    if (!isMissing) throw outcome?.error;
  };

  return {
    attach: (volumeId, nodeId, context, check) =>
      locks.join(volumeId, `attach ${nodeId}`, () => attach(volumeId, nodeId, context, check)),
    detach: (volumeId, nodeId, context) =>
      locks.join(volumeId, `detach ${nodeId ?? ''}`, async () => {
        const { lifetime: signal } = context;
        const node = await locate(volumeId, nodeId, signal);
        // A VM that is gone has no disks; vCenter keeps container volumes when it deletes a VM.
        if (!node) return;
        if (nodeId !== undefined) await assertOurs(volumeId, nodeId, node, signal);
        if (context.mayBeUnderWay && nodeId !== undefined) doubts.begin(volumeId, nodeId);
        // Asked before: a task that ends between would be missed otherwise.
        const mayStillCome = await doubts.mayStillCome({ volumeId, nodeId }, node, { signal });
        await detachFrom(volumeId, nodeId, node, context);
        if (mayStillCome) throw stillComing(volumeId, node.vm.name);
      }),
  };
};
