import type { MoRef } from '@vdo/vsphere/wire/moref';
import { make, type Value } from '@vdo/vsphere/wire/schema';
import type { CnsSnapshotVolumeSource, CnsVolumeCreateSpec, CnsVSANFileCreateSpec } from '@vdo/vsphere/wire/types/cns';
import { CnsVolumeCreateResult } from '@vdo/vsphere/wire/types/cns-results';
import type { VirtualMachineDefinedProfileSpec } from '@vdo/vsphere/wire/types/vm-device';
import { authorize } from '../access/authorize.ts';
import type { Core } from '../core.ts';
import type { Policy } from '../pbm/policies.ts';
import { faults, SimFault } from '../sim-fault.ts';
import { readPath } from '../state/property-path.ts';
import type { CnsContext } from './cns-context.ts';
import { newDiskUuid, takeSpace } from './disk-files.ts';
import { isRegistration, registeredVolume } from './register-volume.ts';
import type { Volume } from './volume-store.ts';

type Spec = Value<typeof CnsVolumeCreateSpec>;

const mib = 1024n ** 2n;

const propertyOf = (core: Core, ref: MoRef, path: string): unknown =>
  readPath(core.store.get(ref)?.properties ?? {}, path);

const isUsable = (core: Core, datastore: MoRef): boolean =>
  propertyOf(core, datastore, 'summary.accessible') === true &&
  propertyOf(core, datastore, 'summary.maintenanceMode') === 'normal';

const freeBytes = (core: Core, datastore: MoRef): bigint =>
  (propertyOf(core, datastore, 'summary.freeSpace') ?? 0n) as bigint;

/** The candidate with the most free space, of those that are usable, permitted and large enough. */
const chooseDatastore = (
  { core, principal }: CnsContext,
  candidates: readonly MoRef[],
  { needBytes, policy }: { readonly needBytes: bigint; readonly policy: Policy | undefined },
): MoRef => {
  const all = [...core.store.all()].filter(({ ref }) => ref.type === 'Datastore').map(({ ref }) => ref);
  const known = candidates.length === 0 ? all : candidates;
  const lost = known.find((ref) => !core.store.get(ref));
  if (lost) throw faults.managedObjectNotFound(lost);
  const usable = known.filter((ref) => isUsable(core, ref));
  if (usable.length === 0) throw faults.cns('No accessible datastore among the candidates.');
  const fitting = usable.filter((ref) => !policy || core.policies.isCompatible(policy, ref));
  if (policy && fitting.length === 0) throw faults.cns(`No datastore satisfies the storage policy '${policy.name}'.`);
  const roomy = fitting.filter((ref) => freeBytes(core, ref) >= needBytes);
  if (roomy.length === 0)
    throw faults.noDiskSpace(String(propertyOf(core, usable[0] ?? known[0] ?? { type: '', value: '' }, 'name')));
  const permitted = roomy.filter((ref) => core.permissions.allows(principal, 'Datastore.FileManagement', ref));
  const [first = roomy[0]] = [...permitted].sort((a, b) => Number(freeBytes(core, b) - freeBytes(core, a)));
  if (!first) throw faults.cns('No datastore fits.');
  authorize(core, principal, 'Datastore.FileManagement', first);
  return first;
};

/** The storage policy in a list of profiles. */
export const profileId = (profiles: Spec['profile']): string | undefined =>
  (profiles[0] as Partial<Value<typeof VirtualMachineDefinedProfileSpec>> | undefined)?.profileId;

/** The policy with an ID; vCenter refuses unknown IDs. */
export const policyOf = (core: Core, id: string | undefined): Policy | undefined => {
  const policy = id === undefined ? undefined : core.policies.get(id);
  if (id !== undefined && !policy) throw faults.invalidArgument('profileId');
  return policy;
};

/** A volume from a snapshot is at least as large as the original volume. */
const checkSource = ({ volumes }: CnsContext, spec: Spec, capacityMb: bigint): void => {
  if (!spec.volumeSource) return;
  const { volumeId, snapshotId } = spec.volumeSource as Partial<Value<typeof CnsSnapshotVolumeSource>>;
  const source = volumes.get(volumeId?.id ?? '');
  if (!source) throw faults.cnsVolumeNotFound(volumeId?.id ?? '');
  if (!source.snapshots.some(({ id }) => id === snapshotId?.id))
    throw faults.cnsSnapshotNotFound(source.id, snapshotId?.id ?? '');
  if (capacityMb < source.capacityMb) throw faults.invalidArgument('createSpecs.backingObjectDetails.capacityInMb');
};

const newVolume = (context: CnsContext, spec: Spec): Volume => {
  const { core, volumes } = context;
  const capacityMb = spec.backingObjectDetails.capacityInMb ?? 0n;
  if (capacityMb <= 0n) throw faults.invalidArgument('createSpecs.backingObjectDetails.capacityInMb');
  const wantedId = spec.volumeId?.id;
  const known = wantedId === undefined ? undefined : volumes.get(wantedId);
  if (known) throw faults.cnsVolumeAlreadyExists(known.id, known.datastore);
  checkSource(context, spec, capacityMb);
  const policy = policyOf(core, profileId(spec.profile));
  const datastore = chooseDatastore(context, spec.datastores, { needBytes: capacityMb * mib, policy });
  const isFile = spec.volumeType === 'FILE';
  if (isFile && propertyOf(core, datastore, 'summary.type') !== 'vsan')
    throw faults.cns('File volumes need a vSAN datastore with file services.');
  const uuid = core.random.uuid();
  return {
    id: wantedId ?? (isFile ? `file:${uuid}` : uuid),
    name: spec.name,
    type: isFile ? 'FILE' : 'BLOCK',
    datastore,
    capacityMb,
    path: `[${String(propertyOf(core, datastore, 'name'))}] fcd/${uuid.replaceAll('-', '')}.vmdk`,
    diskUuid: newDiskUuid(core),
    createTime: new Date(core.clock.now()),
    firstClass: true,
    keepAfterDeleteVm: true,
    policyId: policy?.id,
    metadata: spec.metadata,
    health: 'green',
    attachedTo: undefined,
    snapshots: [],
    netPermissions: (spec.createSpec as Partial<Value<typeof CnsVSANFileCreateSpec>> | undefined)?.permission ?? [],
  };
};

const madeVolume = (context: CnsContext, spec: Spec): Volume => {
  if (isRegistration(spec)) return registeredVolume(context, spec);
  const volume = newVolume(context, spec);
  takeSpace(context.core, volume.datastore, volume.capacityMb * mib);
  return volume;
};

/** Candidates that could not be used come before the selected one in the result. */
const triedInVain = ({ core }: CnsContext, spec: Spec, { datastore: taken }: Volume) =>
  spec.datastores
    .filter((one) => one.value !== taken.value && propertyOf(core, one, 'summary.accessible') === false)
    .map((datastore) => {
      const { fault, message } = faults.inaccessibleDatastore(datastore);
      return { datastore, placementFaults: [{ fault, localizedMessage: message }] };
    });

/** Creates the volume of one specification. Its errors are returned in the result, as in CNS. */
export const createVolume = (context: CnsContext, spec: Spec) => {
  try {
    const volume = madeVolume(context, spec);
    context.volumes.put(volume);
    return make(CnsVolumeCreateResult, {
      volumeId: { id: volume.id },
      name: volume.name,
      placementResults: [...triedInVain(context, spec, volume), { datastore: volume.datastore }],
    });
  } catch (error) {
    if (!(error instanceof SimFault)) throw error;
    return make(CnsVolumeCreateResult, {
      name: spec.name,
      fault: { fault: error.fault, localizedMessage: error.message },
    });
  }
};

/** Removes a volume; if its disk is deleted, too, its space becomes free. */
export const deleteVolume = (context: CnsContext, id: string, deleteDisk: boolean): void => {
  const { core, volumes, principal } = context;
  const volume = volumes.get(id);
  if (!volume) throw faults.notFound();
  if (deleteDisk) authorize(core, principal, 'Datastore.FileManagement', volume.datastore);
  if (volume.attachedTo && core.store.get(volume.attachedTo.vm)) throw faults.resourceInUse('Volume', volume.name);
  if (volume.snapshots.length > 0) throw faults.cns(`Volume ${id} has ${volume.snapshots.length} snapshots.`);
  if (deleteDisk) {
    volumes.remove(id);
    takeSpace(core, volume.datastore, -volume.capacityMb * mib);
  } else volumes.release(id);
};
