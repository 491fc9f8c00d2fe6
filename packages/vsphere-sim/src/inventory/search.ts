import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { ManagedObject, ObjectStore } from '../state/object-store.ts';
import { type Properties, readPath } from '../state/property-path.ts';

/** Finds objects as SearchIndex does. Undefined datacenter: in all. */
export interface Search {
  byUuid(uuid: string, kind: 'bios' | 'instance' | 'host'): readonly MoRef[];
  /** Names as guests and hosts report them; case does not matter. */
  byDnsName(name: string, kind: 'vm' | 'host'): readonly MoRef[];
  byIp(ip: string): readonly MoRef[];
  /** `dc-1/vm/k8s/node-1`. */
  byPath(path: string): MoRef | undefined;
  child(parent: MoRef, name: string): MoRef | undefined;
  isWithin(object: MoRef, ancestor: MoRef): boolean;
}

type Index = ReadonlyMap<string, readonly MoRef[]>;

const indexed: Readonly<Record<string, readonly [type: string, keys: (properties: Properties) => readonly unknown[]]>> =
  {
    bios: ['VirtualMachine', (vm) => [readPath(vm, 'config.uuid')]],
    instance: ['VirtualMachine', (vm) => [readPath(vm, 'config.instanceUuid')]],
    host: ['HostSystem', (host) => [readPath(host, 'summary.hardware.uuid')]],
    vmName: ['VirtualMachine', (vm) => [readPath(vm, 'guest.hostName')]],
    hostName: ['HostSystem', (host) => [host['name']]],
    ip: ['VirtualMachine', (vm) => guestIps(vm)],
  };

const guestIps = (vm: Properties): readonly unknown[] =>
  ((readPath(vm, 'guest.net') as readonly { readonly ipAddress?: readonly string[] }[] | undefined) ?? []).flatMap(
    (nic) => nic.ipAddress ?? [],
  );

export const createSearch = (store: ObjectStore, rootFolder: MoRef): Search => {
  const indexes = new Map<string, { readonly version: number; readonly index: Index }>();

  const isCurrent = (name: string, version: number): boolean => {
    const [type = ''] = indexed[name] ?? [];
    const changed = store.changedSince(version);
    return changed !== undefined && ![...changed].some((key) => key.startsWith(`${type}:`));
  };

  // Built on demand, and again when an object of its type has changed.
  const lookUp = (name: string, key: string): readonly MoRef[] => {
    const known = indexes.get(name);
    const index = known && isCurrent(name, known.version) ? known.index : buildIndex(store.all(), name);
    indexes.set(name, { version: store.version(), index });
    return index.get(key.toLowerCase()) ?? [];
  };

  const child: Search['child'] = (parent, name) =>
    childRefs(store.get(parent)).find((ref) => store.get(ref)?.properties['name'] === name);

  return {
    byUuid: (uuid, kind) => lookUp(kind, uuid),
    byDnsName: (name, kind) => lookUp(kind === 'vm' ? 'vmName' : 'hostName', name),
    byIp: (ip) => lookUp('ip', ip),
    byPath: (path) =>
      path
        .split('/')
        .filter((part) => part !== '')
        .reduce<MoRef | undefined>((parent, part) => parent && child(parent, part), rootFolder),
    child,
    isWithin: (object, ancestor) => {
      for (let ref: MoRef | undefined = object; ref; ref = ownerOf(store.get(ref)))
        if (morefKey(ref) === morefKey(ancestor)) return true;
      return false;
    },
  };
};

/** A VM in a vApp has no parent. */
const ownerOf = (object: ManagedObject | undefined): MoRef | undefined =>
  (object?.properties['parent'] ?? object?.properties['parentVApp']) as MoRef | undefined;

const buildIndex = (objects: Iterable<ManagedObject>, name: string): Index => {
  const [type = '', keysOf = () => []] = indexed[name] ?? [];
  const index = new Map<string, MoRef[]>();
  for (const { ref, properties } of objects) {
    if (ref.type !== type) continue;
    for (const key of keysOf(properties)) {
      if (typeof key !== 'string') continue;
      const found = index.get(key.toLowerCase());
      if (found) found.push(ref);
      else index.set(key.toLowerCase(), [ref]);
    }
  }
  return index;
};

const childRefs = (object: ManagedObject | undefined): readonly MoRef[] => {
  const { properties = {}, ref } = object ?? {};
  if (ref?.type === 'Datacenter')
    return ['vmFolder', 'hostFolder', 'datastoreFolder', 'networkFolder'].map((name) => properties[name] as MoRef);
  const names =
    ref?.type === 'ResourcePool' || ref?.type === 'VirtualApp'
      ? ['resourcePool', 'vm']
      : ['childEntity', 'host', 'resourcePool'];
  return names.flatMap((name) => (properties[name] as MoRef | readonly MoRef[] | undefined) ?? []);
};
