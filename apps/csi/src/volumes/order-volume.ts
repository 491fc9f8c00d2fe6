import type { CnsContainerCluster, CnsVolume, NetPermission } from '@vdo/vsphere/cns/cns-types';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { PlacementChoice } from '../placement/placer.ts';
import type { CallContext } from './call-context.ts';
import { type CsiVCenter, vcenterOf } from './csi-vcenter.ts';
import type { CreateVolumeSpec, Volume } from './volume.ts';
import { cnsNameOf } from './volume-id.ts';
import type { VolumeSources } from './volume-source.ts';

export interface OrderVolumeDeps {
  readonly vcenters: readonly CsiVCenter[];
  readonly sources: VolumeSources;
  /** How volumes are registered with a vCenter. */
  readonly clusterOn: (server: string, options: { readonly signal: AbortSignal }) => Promise<CnsContainerCluster>;
  /** Who may mount new file shares; everyone by default, as in the Go driver. */
  readonly netPermissions?: readonly NetPermission[];
}

interface OrderOptions {
  readonly sizeMb: bigint;
  readonly policyId: string | undefined;
  /** The source of the copy. */
  readonly original: Volume | undefined;
  readonly onTask: (task: MoRef) => Promise<void>;
}

/** Requests a disk or a share from vCenter, and waits for it. */
type OrderVolume = (
  spec: CreateVolumeSpec,
  choice: PlacementChoice,
  context: CallContext,
  options: OrderOptions,
) => Promise<CnsVolume>;

const everybody: readonly NetPermission[] = [{ ips: '*', access: 'READ_WRITE', rootSquash: false }];

export const createVolumeOrder =
  ({ vcenters, sources, clusterOn, netPermissions = everybody }: OrderVolumeDeps): OrderVolume =>
  async (spec, choice, context, { sizeMb, policyId, original, onTask }) => {
    const { lifetime: signal, fence } = context;
    const vcenter = vcenterOf(vcenters, choice.vcenter);
    const disk = {
      name: cnsNameOf(spec.name),
      capacityMb: sizeMb,
      datastores: choice.datastores.map(({ ref }) => ref),
      cluster: await clusterOn(vcenter.server, { signal }),
      ...(policyId === undefined ? {} : { storagePolicyId: policyId }),
    };
    const mutation = { fence, signal, onTask };
    if (spec.kind === 'file') return vcenter.cns.createFileVolume({ ...disk, netPermissions }, mutation);
    const datastoreUrls = new Map(choice.datastores.map(({ ref, url }) => [ref.value, url]));
    if (!spec.source || !original)
      return vcenter.cns.createBlockVolume(spec.needsPath ? disk : { ...disk, datastoreUrls }, mutation);
    const source = await sources.prepare(spec.name, spec.source, original, context);
    return vcenter.cns.createFromSnapshot({ ...disk, source }, mutation);
  };
