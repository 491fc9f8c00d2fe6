import { createBatch } from '@vdo/base/async/batch';
import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import type { Clock } from '@vdo/base/clock';
import { sharedOperationId } from '@vdo/base/traces';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { Outcome, VolumeOnVm } from '@vdo/vsphere/cns/cns-types';
import { diskWithoutUuid } from '@vdo/vsphere/vms/disk-uuid';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { createAttachDoubts } from './attach-doubts.ts';
import type { CallContext } from './call-context.ts';
import type { ClusterEvidence } from './cluster-evidence.ts';
import type { CsiVCenter } from './csi-vcenter.ts';
import { createDetachDisk } from './detach-disk.ts';
import type { DetachEvidence } from './detach-evidence.ts';
import { createNodeDisks } from './node-disks.ts';
import type { LocatedNode, NodeLocator } from './node-locator.ts';
import type { Volume, VolumeService } from './volume.ts';
import { volumeNotFound } from './volume-not-found.ts';

export interface AttachedDisk {
  /** Lower case, no hyphens. */
  readonly diskUuid: string;
  readonly volume: Volume;
}

/** Disks of node VMs. All operations are idempotent. */
export interface AttachmentService {
  /** `check` can refuse the volume before it is attached. */
  attach(
    volumeId: string,
    nodeId: string,
    context: CallContext,
    check?: (volume: Volume) => void,
  ): Promise<AttachedDisk>;
  /** Detaches from one node, or, without a node, from the node that has the disk. It is not an error if the disk is not attached. */
  detach(volumeId: string, nodeId: string | undefined, context: CallContext): Promise<void>;
  /** Whether an attachment may still be in progress in vCenter because the outcome is not known. */
  hasDoubts(): boolean;
}

export interface AttachmentServiceDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly volumes: Pick<VolumeService, 'find'>;
  readonly nodes: NodeLocator;
  readonly evidence: Pick<ClusterEvidence, 'begin'>;
  readonly detachEvidence: DetachEvidence;
  readonly clock: Clock;
}

interface Job extends VolumeOnVm {
  readonly context: CallContext;
}

const nodeNotFound = (nodeId: string): VdoError =>
  new VdoError({
    code: 'NodeVmNotFound',
    message: `no configured vCenter has the VM of node ${nodeId}`,
    remedy: 'Check that the VM exists, that its datacenter is configured, and that the vSphere user may read it.',
  });

const otherVCenter = (volume: Volume, { vm }: LocatedNode): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `volume ${volume.id} is on vCenter ${volume.server}, but VM ${vm.name} is on ${vm.server}`,
    remedy: 'Configure topology, so that pods are scheduled where their volumes are.',
  });

const elsewhere = (volumeId: string, vm: string, holder: string): VdoError =>
  new VdoError({
    code: 'VolumeAttachedElsewhere',
    message: `volume ${volumeId} cannot be attached to VM ${vm}: it is attached to ${holder}`,
    remedy:
      'The driver retries until the volume is detached there. If that node will not come back, shut down its VM and taint the Node with node.kubernetes.io/out-of-service.',
  });

/** How long and how many requests are collected for one call. The delay is too short to notice, and CNS accepts this number. */
const batching = { windowMs: 5, maxItems: 32 };

/** CNS adds SCSI controllers automatically, up to four. For the next disk it reports that a controller is missing. */
const isNoSlot = (error: unknown): boolean =>
  isVdoError(error) &&
  (/\b(scsi|free) slot\b|missing scsi controller/i.test(error.message) ||
    (/scsi controller/i.test(error.message) && /\blimit\b/i.test(error.message)));

const disksFull = (volumeId: string, vm: string, disks: number, cause: unknown): VdoError =>
  new VdoError({
    code: 'NodeDisksFull',
    message: `volume ${volumeId} cannot be attached: VM ${vm} has ${disks} disks and no free slot`,
    remedy: `Move pods to other nodes, or lower --max-volumes of the node role to the number that VM ${vm} supports. Volumes use only paravirtual SCSI controllers. A VM has up to four of them with 15 disks each (64 if pvscsiCtrlr256DiskSupportEnabled is set in vCenter 8).`,
    cause,
  });

/** Attaches and detaches. Concurrent requests are sent to vCenter in one call; operations on the same volume run one after another. */
export const createAttachmentService = (deps: AttachmentServiceDeps): AttachmentService => {
  const { vcenters, volumes, nodes, clock } = deps;
  const locks = createKeyedLock();
  const doubts = createAttachDoubts(deps);
  const disks = createNodeDisks(deps);
  const detach = createDetachDisk({ ...deps, disks, doubts, batching });
  // All jobs of a batch end together. It is sent only if all callers still hold their Lease.
  const shared = (jobs: readonly Job[]) => ({
    signal: jobs[0]?.context.lifetime ?? AbortSignal.abort(),
    fence: {
      assertHeld: () => {
        for (const { context } of jobs) context.fence.assertHeld();
      },
      operationId: sharedOperationId(jobs.flatMap(({ context }) => context.span ?? [])),
    },
    onTask: async (task: MoRef) => {
      for (const { context } of jobs) context.onTask?.(task);
    },
  });
  const batchers = new Map(
    vcenters.map((vcenter) => [
      vcenter.server,
      createBatch<Job, Outcome<string>>({
        send: (jobs) => vcenter.cns.attach(jobs, shared(jobs)),
        clock,
        ...batching,
      }),
    ]),
  );

  const whyNot = async (
    volumeId: string,
    { vm }: LocatedNode,
    failure: { readonly error: unknown; readonly disks: number; readonly signal: AbortSignal },
  ): Promise<unknown> => {
    const { error, signal } = failure;
    if (isNoSlot(error)) return disksFull(volumeId, vm.name, failure.disks, error);
    if (!isVdoError(error, 'VCenterBusy')) return error;
    const holder = await disks.holderOf(volumeId, { signal });
    return holder ? elsewhere(volumeId, vm.name, `VM ${holder.vm.name}`) : error;
  };

  const attach: AttachmentService['attach'] = async (volumeId, nodeId, context, check) => {
    const { lifetime: signal } = context;
    const volume = await volumes.find(volumeId, context);
    if (!volume) throw volumeNotFound(volumeId);
    check?.(volume);
    const node = await nodes.find(nodeId, { signal });
    if (!node) throw nodeNotFound(nodeId);
    if (node.vcenter.server !== volume.server) throw otherVCenter(volume, node);
    // If a call failed as a whole, the outcome for each of its volumes has to be checked.
    const askedMs = clock.monotonicMs();
    const asked = batchers.get(volume.server)?.({ volumeId, vm: node.vm.ref, context });
    const outcome = await Promise.resolve(asked).catch((error: unknown) => ({
      ok: false as const,
      error: toVdoError(error),
    }));
    if (outcome?.ok) return { diskUuid: outcome.value, volume };
    const noteDoubt = () => doubts.noteFailure(volumeId, nodeId, { error: outcome?.error, askedMs });
    // The disk may be attached already, by an earlier attempt that was interrupted, or to another VM. A vCenter that does not answer shows neither.
    const present = await disks.of(node, signal).catch((error: unknown) => {
      noteDoubt();
      throw error;
    });
    const disk = present?.find((one) => one.volumeId === volumeId);
    if (disk) {
      if (disk.diskUuid !== undefined) return { diskUuid: disk.diskUuid, volume };
      noteDoubt();
      throw diskWithoutUuid(node.vcenter.server, volumeId, node.vm.name);
    }
    noteDoubt();
    if (isVdoError(outcome?.error, 'VCenterObjectNotFound')) nodes.invalidate();
    throw await whyNot(volumeId, node, { error: outcome?.error, disks: present?.length ?? 0, signal });
  };

  return {
    attach: (volumeId, nodeId, context, check) =>
      locks.join(volumeId, `attach ${nodeId}`, () => attach(volumeId, nodeId, context, check)),
    detach: (volumeId, nodeId, context) =>
      locks.join(volumeId, `detach ${nodeId ?? ''}`, () => detach(volumeId, nodeId, context)),
    hasDoubts: doubts.hasAny,
  };
};
