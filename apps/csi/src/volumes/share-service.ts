import type { Attempt } from '@vdo/acts/attempt';
import { removeShareAccess } from '@vdo/acts/disks/remove-share-access';
import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { nodes as nodeResource } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { NetPermission } from '@vdo/vsphere/cns/cns-types';
import { assertOffers } from '../placement/offered.ts';
import type { CallContext } from './call-context.ts';
import type { ClusterEvidence } from './cluster-evidence.ts';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import type { LocatedNode, NodeLocator } from './node-locator.ts';
import { addressesNotedOn, type ShareGrants } from './share-grants.ts';
import type { Volume } from './volume.ts';

interface Guest {
  readonly nodeId: string;
  readonly readOnly: boolean;
}

interface Revocation {
  /** Selected from the addresses of the attachments that end. */
  readonly addresses: (leaving: readonly VolumeAttachment[]) => readonly string[];
  /** True for attachments that no longer need their addresses. */
  readonly isLeaving: (attachment: VolumeAttachment) => boolean;
  /** The node still uses the share: addresses that its Node still has are kept. */
  readonly mayFlap: boolean;
}

/** The share, and the vCenter that has it or may have it. */
export type SharePlace = Pick<Volume, 'id' | 'server'>;

/** File shares and the nodes that mount them. All operations are idempotent. */
export interface ShareService {
  /** Grants the node access to the share; returns `host:/path`. */
  publish(share: Volume, nodeId: string, readOnly: boolean, context: CallContext): Promise<string>;
  /** Also for a share that CNS does not list, because that proves nothing. */
  unpublish(share: SharePlace, nodeId: string | undefined, context: CallContext): Promise<void>;
}

export interface ShareServiceDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly nodes: NodeLocator;
  /** The permanent access rules of the configuration. */
  readonly netPermissions: readonly NetPermission[];
  readonly clusterId: string;
  readonly evidence: ClusterEvidence;
  readonly grants: ShareGrants;
}

/** Key of vSAN's access points for NFS 4.1. */
const nfs41 = 'NFSv4.1';

const noAccessPoint = ({ id, server }: Volume, points: Readonly<Record<string, string>>): VdoError =>
  new VdoError({
    code: 'VCenterBusy',
    message: `file share ${id} on vCenter ${server} has no access point for ${nfs41}; it has ${Object.keys(points).join(', ') || 'none'}`,
    remedy:
      'The driver retries automatically. If this persists, check the vSAN file service of the cluster (Configure, vSAN, Services).',
  });

const nodeNotFound = (nodeId: string): VdoError =>
  new VdoError({
    code: 'NodeVmNotFound',
    message: `no configured vCenter has the VM of node ${nodeId}`,
    remedy: 'Check that the VM exists, that its datacenter is configured, and that the vSphere user may read it.',
  });

const noAddress = ({ vm }: LocatedNode): VdoError =>
  new VdoError({
    code: 'NodeNoAddresses',
    message: `VM ${vm.name} reports no IP address, so it cannot be granted access to a file share`,
    remedy:
      'Check that VMware Tools is running in the VM, or grant access to whole networks in csi.fileVolumes.netPermissions.',
  });

/** Addresses of a node as the file service sees them. */
const addressesOf = ({ vm }: LocatedNode): readonly string[] =>
  vm.nics
    .filter(({ deviceConfigId }) => deviceConfigId !== -1)
    .flatMap(({ ips }) => ips)
    .filter((ip) => !/^(fe80:|169\.254\.)/i.test(ip));

/** True if the configuration grants no permanent access, so that each node gets its own. */
export const isPerNode = (netPermissions: readonly NetPermission[]): boolean =>
  netPermissions.length > 0 && netPermissions.every(({ access }) => access === 'NO_ACCESS');

/**
 * As in the Go driver, the configuration can grant permanent access. If its only rule is NO_ACCESS, each node gets access while the volume is
 * published to it. The granted addresses are recorded before, so that exactly these are revoked later.
 */
export const createShareService = (deps: ShareServiceDeps): ShareService => {
  const { vcenters, nodes, netPermissions, clusterId, evidence, grants } = deps;
  const locks = createKeyedLock();
  const perNode = isPerNode(netPermissions);
  const operationsOf = (share: SharePlace): CsiVCenter['cns'] => vcenterOf(vcenters, share).cns;
  const permissionsOf = (addresses: readonly string[], readOnly: boolean): readonly NetPermission[] =>
    addresses.map((ips) => ({ ips, access: readOnly ? 'READ_ONLY' : 'READ_WRITE', rootSquash: false }));

  /** The addresses of the attachments' Nodes. */
  const namedBy = async (attempt: Attempt, attachments: readonly VolumeAttachment[]) => {
    const names = [...new Set(attachments.map(({ spec }) => spec.nodeName))];
    const read = await Promise.all(names.map((name) => attempt.read(nodeResource, { name })));
    const addresses = read.flatMap((node) => (node.kind === 'seen' ? (node.object.status?.addresses ?? []) : []));
    return { read, addresses: addresses.map(({ address }) => address) };
  };

  /** Revokes the access of those addresses that no attachment of the share needs; returns them. */
  const revoke = async (
    share: SharePlace,
    revocation: Revocation,
    context: CallContext,
  ): Promise<readonly string[]> => {
    const { addresses, isLeaving, mayFlap } = revocation;
    const vcenter = vcenterOf(vcenters, share);
    const attempt = evidence.begin('take access away from share', share.id, context);
    const { found, attachments } = await evidence.usersOf(attempt, share.id, context);
    const leaving = attachments.filter(isLeaving);
    const named = mayFlap ? await namedBy(attempt, leaving) : { read: [], addresses: [] };
    const staying = attachments.filter((attachment) => !isLeaving(attachment));
    const needed = new Set([...named.addresses, ...staying.flatMap((one) => addressesNotedOn(one) ?? [])]);
    const gone = [...new Set(addresses(leaving))].filter((address) => !needed.has(address));
    if (gone.length === 0) return gone;
    const volume = await attempt.ask(`share ${share.id} in CNS`, async () => {
      const shown = await vcenter.cns.queryVolumes({ volumeIds: [share.id] }, { signal: context.lifetime });
      return shown.find(({ id }) => id === share.id);
    });
    const permissions = permissionsOf(gone, false);
    const about = { vcenter, volumeId: share.id, clusterId, permissions };
    try {
      const { operationId } = context.fence;
      await removeShareAccess(attempt, { ...about, volume, attachments: found, because: named.read, operationId });
    } catch (error) {
      // A deleted share grants no access. But a share that was listed a moment ago is not assumed to be deleted.
      if (volume.value || !isVdoError(error, 'VolumeNotFound')) throw error;
    }
    return gone;
  };

  /** Grants access to the present addresses of the node, and revokes that of its earlier addresses. */
  const letIn = async (share: Volume, node: LocatedNode, { nodeId, readOnly }: Guest, context: CallContext) => {
    const { lifetime: signal, fence } = context;
    const place = { shareId: share.id, nodeId, signal };
    const addresses = addressesOf(node);
    if (addresses.length === 0) throw noAddress(node);
    // The caller may know of the VolumeAttachment before this process does.
    if (grants.attachmentsOf(place).length === 0)
      await evidence.usersOf(evidence.begin('let a node into share', share.id, context), share.id, context);
    const noted = await grants.add(place, addresses);
    await operationsOf(share).grantAccess(share.id, permissionsOf(addresses, readOnly), { signal, fence });
    const former = noted.filter((address) => !addresses.includes(address));
    if (former.length === 0) return;
    const isLeaving = (attachment: VolumeAttachment) => grants.isOn(attachment, nodeId);
    // An address is dropped only if two sources agree that the node does not have it: VMware Tools sometimes omits addresses.
    const gone = await revoke(share, { addresses: () => former, isLeaving, mayFlap: true }, context);
    await grants.drop(place, gone);
  };

  return {
    publish: (share, nodeId, readOnly, context) =>
      locks.join(share.id, `publish ${nodeId} ${readOnly}`, async () => {
        const { lifetime: signal } = context;
        const node = await nodes.find(nodeId, { signal, isFresh: perNode });
        if (!node) throw nodeNotFound(nodeId);
        if (perNode) await assertOffers(vcenterOf(vcenters, share), 'share-access', { signal });
        if (perNode) await letIn(share, node, { nodeId, readOnly }, context);
        const points = await operationsOf(share).accessPoints(share.id, { signal });
        const point = points[nfs41];
        if (!point) throw noAccessPoint(share, points);
        return point;
      }),
    unpublish: (share, nodeId, context) =>
      locks.join(share.id, `unpublish ${nodeId ?? ''}`, async () => {
        if (!perNode) return;
        const { lifetime: signal } = context;
        const leaving =
          nodeId === undefined ? await nodes.all({ signal }) : [await nodes.find(nodeId, { signal, isFresh: true })];
        const present = leaving.flatMap((node) => (node ? addressesOf(node) : []));
        const isLeaving = (attachment: VolumeAttachment) =>
          nodeId === undefined ||
          (attachment.metadata.deletionTimestamp !== undefined && grants.isOn(attachment, nodeId));
        const addresses = (attachments: readonly VolumeAttachment[]) => [
          ...attachments.flatMap((attachment) => addressesNotedOn(attachment) ?? []),
          // Earlier releases, and callers that attach without a VolumeAttachment, recorded nothing.
          ...present,
        ];
        await revoke(share, { addresses, isLeaving, mayFlap: false }, context);
      }),
  };
};
