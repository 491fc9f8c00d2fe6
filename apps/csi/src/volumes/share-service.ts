import { createKeyedLock } from '@vdo/base/async/keyed-lock';
import { VdoError } from '@vdo/base/vdo-error';
import type { CallContext } from '@vdo/csi-proto/rpc/call-context';
import type { NetPermission } from '@vdo/vsphere/cns/cns-types';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import type { LocatedNode, NodeLocator } from './node-locator.ts';
import type { Volume } from './volume.ts';

/** File shares and the nodes that mount them. All operations may be repeated at any time. */
export interface ShareService {
  /** Lets the node mount the share; gives `host:/path`. */
  publish(share: Volume, nodeId: string, readOnly: boolean, context: CallContext): Promise<string>;
  unpublish(share: Volume, nodeId: string | undefined, context: CallContext): Promise<void>;
}

export interface ShareServiceDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly nodes: NodeLocator;
  /** What the configuration grants for good. */
  readonly netPermissions: readonly NetPermission[];
}

/** Key of vSAN's access points for NFS 4.1. */
const nfs41 = 'NFSv4.1';

const noAccessPoint = ({ id, server }: Volume, points: Readonly<Record<string, string>>): VdoError =>
  new VdoError({
    code: 'VCenterBusy',
    message: `file share ${id} on vCenter ${server} has no access point for ${nfs41}; it has ${Object.keys(points).join(', ') || 'none'}`,
    remedy:
      'It is tried again by itself. If it stays, look at the vSAN file service of the cluster (Configure, vSAN, Services).',
  });

const nodeNotFound = (nodeId: string): VdoError =>
  new VdoError({
    code: 'NodeVmNotFound',
    message: `no configured vCenter has the VM of node ${nodeId}`,
    remedy: 'Check that the VM exists, that its datacenter is configured, and that the user may read it.',
  });

const noAddress = ({ vm }: LocatedNode): VdoError =>
  new VdoError({
    code: 'NodeNoAddresses',
    message: `VM ${vm.name} reports no address by which a file share could know it`,
    remedy:
      'Check that VMware Tools run in the VM, or grant access to whole networks in csi.fileVolumes.netPermissions.',
  });

/** Addresses by which the file service sees a node. */
const addressesOf = ({ vm }: LocatedNode): readonly string[] =>
  vm.nics
    .filter(({ deviceConfigId }) => deviceConfigId !== -1)
    .flatMap(({ ips }) => ips)
    .filter((ip) => !/^(fe80:|169\.254\.)/i.test(ip));

/**
 * Access is granted for good by the configuration, as with the Go driver; if all that it says is that nobody may enter (NO_ACCESS), each
 * node is let in while the volume is published to it.
 */
export const createShareService = ({ vcenters, nodes, netPermissions }: ShareServiceDeps): ShareService => {
  const locks = createKeyedLock();
  const perNode = netPermissions.length > 0 && netPermissions.every(({ access }) => access === 'NO_ACCESS');
  const operationsOf = (share: Volume): CsiVCenter['cns'] => vcenterOf(vcenters, share).cns;
  const permissionsOf = (node: LocatedNode, readOnly: boolean): readonly NetPermission[] =>
    addressesOf(node).map((ips) => ({ ips, access: readOnly ? 'READ_ONLY' : 'READ_WRITE', rootSquash: false }));

  return {
    publish: (share, nodeId, readOnly, { lifetime: signal, fence }) =>
      locks.join(share.id, `publish ${nodeId} ${readOnly}`, async () => {
        const node = await nodes.find(nodeId, { signal });
        if (!node) throw nodeNotFound(nodeId);
        if (perNode) {
          const permissions = permissionsOf(node, readOnly);
          if (permissions.length === 0) throw noAddress(node);
          await operationsOf(share).grantAccess(share.id, permissions, { signal, fence });
        }
        const points = await operationsOf(share).accessPoints(share.id, { signal });
        const point = points[nfs41];
        if (!point) throw noAccessPoint(share, points);
        return point;
      }),
    unpublish: (share, nodeId, { lifetime: signal, fence }) =>
      locks.join(share.id, `unpublish ${nodeId ?? ''}`, async () => {
        if (!perNode) return;
        const leaving = nodeId === undefined ? await nodes.all({ signal }) : [await nodes.find(nodeId, { signal })];
        const permissions = leaving.flatMap((node) => (node ? permissionsOf(node, false) : []));
        if (permissions.length > 0) await operationsOf(share).removeAccess(share.id, permissions, { signal, fence });
      }),
  };
};
