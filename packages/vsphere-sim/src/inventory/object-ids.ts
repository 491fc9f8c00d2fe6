import { type MoRef, moref } from '@vdo/vsphere/wire/moref';

const prefixes = {
  Datacenter: 'datacenter',
  ComputeResource: 'domain-s',
  ClusterComputeResource: 'domain-c',
  HostSystem: 'host',
  ResourcePool: 'resgroup',
  VirtualApp: 'resgroup-v',
  VirtualMachine: 'vm',
  Datastore: 'datastore',
  Network: 'network',
  VirtualMachineSnapshot: 'snapshot',
  Task: 'task',
} as const;

const folderPrefixes = {
  datacenter: 'group-d',
  vm: 'group-v',
  host: 'group-h',
  datastore: 'group-s',
  network: 'group-n',
};

export type FolderKind = keyof typeof folderPrefixes;

/** Assigns references as vCenter numbers them: `vm-42`, `group-v3`, with one counter for all. */
export interface ObjectIds {
  next(type: keyof typeof prefixes): MoRef;
  folder(kind: FolderKind): MoRef;
}

export const createObjectIds = (): ObjectIds => {
  let count = 0;
  const numbered = (prefix: string): string => {
    count += 1;
    return /-.$/.test(prefix) ? `${prefix}${count}` : `${prefix}-${count}`;
  };
  return {
    next: (type) => moref(type, numbered(prefixes[type])),
    folder: (kind) => moref('Folder', numbered(folderPrefixes[kind])),
  };
};
