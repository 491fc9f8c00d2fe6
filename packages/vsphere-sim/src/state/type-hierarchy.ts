// Managed object types and their base types, from the vSphere Web Services API reference; only those of the simulator.
const parents: Readonly<Record<string, string>> = {
  Folder: 'ManagedEntity',
  StoragePod: 'Folder',
  Datacenter: 'ManagedEntity',
  ComputeResource: 'ManagedEntity',
  ClusterComputeResource: 'ComputeResource',
  HostSystem: 'ManagedEntity',
  ResourcePool: 'ManagedEntity',
  VirtualApp: 'ResourcePool',
  VirtualMachine: 'ManagedEntity',
  Datastore: 'ManagedEntity',
  Network: 'ManagedEntity',
  DistributedVirtualPortgroup: 'Network',
  ManagedEntity: 'ExtensibleManagedObject',
  ContainerView: 'ManagedObjectView',
  ListView: 'ManagedObjectView',
  ManagedObjectView: 'View',
};

/** True if a managed object of type `type` is also a `base`. */
export const isManagedType = (type: string, base: string): boolean => {
  for (let current: string | undefined = type; current !== undefined; current = parents[current])
    if (current === base) return true;
  return base === 'ManagedObject';
};
