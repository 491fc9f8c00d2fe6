import type { MoRef } from '../wire/moref.ts';
import { type Input, make, type Value } from '../wire/schema.ts';
import { type PropertyFilterSpec, SelectionSpec, TraversalSpec } from '../wire/types/property-collector.ts';
import type { PropertySet } from './properties.ts';

export type FilterSpec = Input<Value<typeof PropertyFilterSpec>>;

const propSpec = ({ type, paths }: PropertySet) => ({ type, pathSet: [...paths] });

/** Properties of exactly these objects. */
export const listSpec = (properties: PropertySet, refs: readonly MoRef[]): FilterSpec => ({
  propSet: [propSpec(properties)],
  objectSet: refs.map((obj) => ({ obj })),
});

/**
 * Properties of all objects in a view (container or list). vCenter refuses a view that it does not know, such as one of a session that
 * has ended. This does not mean that the objects do not exist.
 */
export const viewSpec = (properties: PropertySet, view: MoRef): FilterSpec => ({
  propSet: [propSpec(properties)],
  objectSet: [
    {
      obj: view,
      skip: true,
      selectSet: [make(TraversalSpec, { name: 'view', type: view.type, path: 'view', skip: false })],
    },
  ],
});

/** The same for updates of objects that may be deleted before they are reported. */
export const watchedViewSpec = (properties: PropertySet, view: MoRef): FilterSpec => ({
  ...viewSpec(properties, view),
  reportMissingObjectsInResults: true,
});

type Selection = Input<Value<typeof SelectionSpec>>;

const step = (name: string, type: string, path: string, selectSet: readonly Selection[] = []) =>
  make(TraversalSpec, { name, type, path, skip: false, selectSet });

/**
 * Properties of the VMs in a view, of their hosts, of the datastores that these mount, and of all ancestors of VMs and
 * hosts (folders, pools, clusters, datacenters), with one filter.
 */
export const nodesSpec = (
  properties: {
    readonly vm: PropertySet;
    readonly host: PropertySet;
    readonly datastore: PropertySet;
    readonly above: readonly PropertySet[];
  },
  view: MoRef,
): FilterSpec => {
  const climbOn = make(SelectionSpec, { name: 'above' });
  const above = step('above', 'ManagedEntity', 'parent', [climbOn]);
  const datastores = step('datastores', 'HostSystem', 'datastore');
  const hosts = step('hosts', 'VirtualMachine', 'runtime.host', [datastores, climbOn]);
  const pools = step('pools', 'VirtualMachine', 'resourcePool', [climbOn]);
  const vms = step('vms', view.type, 'view', [hosts, pools, above]);
  const { vm, host, datastore } = properties;
  return {
    propSet: [vm, host, datastore, ...properties.above].map(propSpec),
    objectSet: [{ obj: view, skip: true, selectSet: [vms] }],
    reportMissingObjectsInResults: true,
  };
};
