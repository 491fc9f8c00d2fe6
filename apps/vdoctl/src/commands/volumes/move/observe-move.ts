import type { Attempt } from '@vdo/acts/attempt';
import type { MoveEvidence } from '@vdo/acts/disks/move-disk';
import type { NodeFacts } from '@vdo/checks/facts';
import { vcenterVersionOf } from '@vdo/config/product-version';
import { lackOfAll } from '@vdo/config/vcenter-features';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { DatastoreHealth } from '@vdo/vsphere/health/health-reader';
import { morefKey } from '@vdo/vsphere/wire/moref';
import type { OpenVCenter } from '../../../shared/checkup/open-vcenters.ts';
import { askVolume } from '../ask-volume.ts';
import { hasIt } from '../observe-volume.ts';
import { mayRunOn } from './may-run-on.ts';
import type { MoveFacts } from './why-stay.ts';

export interface SeenMove {
  readonly facts: MoveFacts;
  /** Undefined: it is on no vCenter, or its vCenter has no such datastore. */
  readonly found:
    | {
        readonly vcenter: FullVCenter;
        readonly source: DatastoreHealth | undefined;
        readonly target: DatastoreHealth;
        readonly evidence: MoveEvidence;
      }
    | undefined;
}

export interface MoveInput {
  readonly vcenters: readonly OpenVCenter[];
  readonly nodes: readonly NodeFacts[];
  readonly clusterId: string;
  /** Name or URL of the datastore. */
  readonly to: string;
  readonly signal: AbortSignal;
}

/** All datastores of a vCenter. */
export const readDatastores = async (
  { inventory, health }: Pick<FullVCenter, 'inventory' | 'health'>,
  signal: AbortSignal,
): Promise<readonly DatastoreHealth[]> => {
  const tree = await inventory.read(['Datastore'], { signal });
  const refs = [...tree.values()].map(({ ref }) => ref).filter(({ type }) => type === 'Datastore');
  return [...(await health.datastores(refs, { signal })).values()];
};

export const isDatastore = (wanted: string, { name, url }: Pick<DatastoreHealth, 'name' | 'url'>): boolean =>
  name === wanted || url === wanted || url === `${wanted}/`;

/** VMs of the nodes that may use the volume, and whose hosts cannot write to the datastore. */
const unreachedBy = (
  server: string,
  target: DatastoreHealth,
  { nodes, holders }: { readonly nodes: readonly NodeFacts[]; readonly holders: readonly PersistentVolume[] },
): readonly string[] => {
  const writable = new Set(target.writableHosts.map(morefKey));
  return nodes
    .filter(
      ({ node, vm }) => vm?.server === server && holders.every((one) => mayRunOn(one, node.metadata.labels ?? {})),
    )
    .flatMap(({ vm }) => (vm && !(vm.host && writable.has(morefKey(vm.host))) ? [vm.name] : []));
};

const missingPrivileges = async (
  { authorization }: FullVCenter,
  { source, target }: { readonly source: DatastoreHealth | undefined; readonly target: DatastoreHealth },
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const places = source ? [source, target] : [target];
  const files = await authorization.missingPrivileges(
    places.map(({ ref }) => ref),
    ['Datastore.FileManagement'],
    { signal },
  );
  const space = await authorization.missingPrivileges([target.ref], ['Datastore.AllocateSpace'], { signal });
  return [...places, target].flatMap(({ ref, name }, index) => {
    const missing = (index < places.length ? files : space).get(morefKey(ref)) ?? [];
    return missing.map((privilege) => `${privilege} on ${name}`);
  });
};

const policyProblemOf = async (
  { policies }: FullVCenter,
  { storagePolicyId }: CnsVolume,
  { ref }: DatastoreHealth,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (!storagePolicyId) return undefined;
  const { compatible, reasons } = await policies.placement(storagePolicyId, [ref], { signal });
  return compatible.length > 0 ? undefined : (reasons.get(ref.value) ?? 'not compatible');
};

/** Reads a volume, its users, and the datastore to which it is to be moved, in one attempt. */
export const observeMove = async (id: string, attempt: Attempt, input: MoveInput): Promise<SeenMove> => {
  const { signal, clusterId, to, nodes } = input;
  const looks = await askVolume(id, attempt, input);
  const first = looks.find(({ volume }) => volume.value !== undefined);
  const nothing: MoveFacts = {
    volume: undefined,
    clusterId,
    target: undefined,
    reservedBytes: 0n,
    snapshots: 0,
    consumers: undefined,
    holders: [],
    attachedTo: [],
    unreachedBy: [],
    policyProblem: undefined,
    missingPrivileges: [],
    lack: undefined,
  };
  const volume = first?.volume.value;
  if (!first || !volume) return { facts: nothing, found: undefined };
  const { vcenter } = first;
  const datastores = await readDatastores(vcenter, signal);
  const meant = datastores.find((one) => isDatastore(to, one));
  if (!meant) return { facts: { ...nothing, volume }, found: undefined };
  const source = datastores.find(({ url }) => url === volume.datastoreUrl);
  const lack = lackOfAll('moves', [
    { server: vcenter.server, version: vcenterVersionOf(await vcenter.about({ signal })) },
  ]);
  const policyProblem = await policyProblemOf(vcenter, volume, meant, signal);
  const privileges = await missingPrivileges(vcenter, { source, target: meant }, signal);
  // Last what the decision rests on: it is only good for some seconds.
  const again = await attempt.ask(`volume ${id}`, async () =>
    (await vcenter.cns.queryVolumes({ volumeIds: [id] }, { signal })).find((one) => one.id === id),
  );
  const holders = await attempt.search(persistentVolumes, { index: 'handle', value: id }, hasIt(id, volume));
  const names = new Set(holders.objects.map(({ metadata }) => metadata.name ?? ''));
  const attachments = await attempt.search(volumeAttachments, { index: 'volume', value: id }, ({ spec }) =>
    names.has(spec.source.persistentVolumeName ?? ''),
  );
  const [snapshots, disk, target] = await Promise.all([
    attempt.ask(`snapshots of ${id}`, async () =>
      lack === undefined ? vcenter.cns.querySnapshots({ volumeId: id }, { signal }) : [],
    ),
    attempt.ask(`disk ${id}`, async () => source && vcenter.firstClassDisks.get(source.ref, id, { signal })),
    attempt.ask(`datastore ${meant.name}`, async () => {
      const found = (await vcenter.health.datastores([meant.ref], { signal })).get(morefKey(meant.ref));
      return found ?? { ...meant, accessible: false };
    }),
  ]);
  return {
    found: {
      vcenter,
      source,
      target: target.value,
      evidence: { volume: again, snapshots, disk, holders, attachments, target },
    },
    facts: {
      volume: again.value,
      clusterId,
      target: target.value,
      reservedBytes: 0n,
      snapshots: snapshots.value.length,
      consumers: disk.value?.consumers,
      holders: holders.objects,
      attachedTo: attachments.objects.map(({ spec }) => spec.nodeName),
      unreachedBy: unreachedBy(vcenter.server, target.value, { nodes, holders: holders.objects }),
      policyProblem,
      missingPrivileges: privileges,
      lack,
    },
  };
};
