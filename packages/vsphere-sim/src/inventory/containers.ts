import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { ManagedObject, ObjectStore } from '../state/object-store.ts';
import { isManagedType } from '../state/type-hierarchy.ts';

export interface ContainerQuery {
  readonly container: MoRef;
  /** Empty: all types. */
  readonly type: readonly string[];
  readonly recursive: boolean;
}

/** Container views: objects in the store whose `view` follows the inventory. */
export interface Containers {
  open(view: MoRef, query: ContainerQuery): void;
  close(view: MoRef): void;
}

/** What an object contains: the properties that a ContainerView follows. */
const childProperties: Readonly<Record<string, readonly string[]>> = {
  Folder: ['childEntity'],
  Datacenter: ['vmFolder', 'hostFolder', 'datastoreFolder', 'networkFolder'],
  ComputeResource: ['host', 'resourcePool'],
  ClusterComputeResource: ['host', 'resourcePool'],
  ResourcePool: ['resourcePool', 'vm'],
  VirtualApp: ['resourcePool', 'vm'],
  HostSystem: ['vm'],
};

const childrenOf = (object: ManagedObject | undefined): readonly MoRef[] =>
  (childProperties[object?.ref.type ?? ''] ?? []).flatMap(
    (name) => (object?.properties[name] as MoRef | readonly MoRef[] | undefined) ?? [],
  );

/** The objects in a container. VMs of a folder are found in it; those of a host or cluster through its hosts and pools. */
const membersOf = (store: ObjectStore, { container, type, recursive }: ContainerQuery): readonly MoRef[] => {
  const seen = new Map<string, MoRef>();
  const visit = (ref: MoRef): void => {
    for (const child of childrenOf(store.get(ref))) {
      if (seen.has(morefKey(child))) continue;
      seen.set(morefKey(child), child);
      if (recursive) visit(child);
    }
  };
  visit(container);
  return [...seen.values()].filter((ref) => type.length === 0 || type.some((base) => isManagedType(ref.type, base)));
};

const isSame = (before: readonly MoRef[], after: readonly MoRef[]): boolean =>
  before.length === after.length && before.every((ref, index) => ref === after[index]);

export const createContainers = (store: ObjectStore): Containers => {
  const views = new Map<string, { readonly ref: MoRef; readonly query: ContainerQuery }>();
  const refresh = ({ ref, query }: { readonly ref: MoRef; readonly query: ContainerQuery }): void => {
    const before = store.get(ref)?.properties['view'] as readonly MoRef[];
    const after = membersOf(store, query);
    if (!isSame(before, after)) store.update(ref, { view: after });
  };
  store.subscribe((changed) => {
    if (childProperties[changed.type] !== undefined) for (const view of views.values()) refresh(view);
  });
  return {
    open: (ref, query) => {
      store.put(ref, { ...query, view: membersOf(store, query) });
      views.set(morefKey(ref), { ref, query });
    },
    close: (ref) => {
      views.delete(morefKey(ref));
      store.remove(ref);
    },
  };
};
