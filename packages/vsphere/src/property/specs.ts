import type { MoRef } from '../wire/moref.ts';
import { type Input, make, type Value } from '../wire/schema.ts';
import { type PropertyFilterSpec, TraversalSpec } from '../wire/types/property-collector.ts';
import type { PropertySet } from './properties.ts';

export type FilterSpec = Input<Value<typeof PropertyFilterSpec>>;

const propSpec = ({ type, paths }: PropertySet) => ({ type, pathSet: [...paths] });

/** Properties of exactly these objects. */
export const listSpec = (properties: PropertySet, refs: readonly MoRef[]): FilterSpec => ({
  propSet: [propSpec(properties)],
  objectSet: refs.map((obj) => ({ obj })),
});

/** Properties of everything a view (container or list) shows. */
export const viewSpec = (properties: PropertySet, view: MoRef): FilterSpec => ({
  propSet: [propSpec(properties)],
  objectSet: [
    {
      obj: view,
      skip: true,
      selectSet: [make(TraversalSpec, { name: 'view', type: view.type, path: 'view', skip: false })],
    },
  ],
  reportMissingObjectsInResults: true,
});

/** Properties of the VMs that a view shows, of their hosts, and of the datastores these mount: one filter for all. */
export const nodesSpec = (
  properties: { readonly vm: PropertySet; readonly host: PropertySet; readonly datastore: PropertySet },
  view: MoRef,
): FilterSpec => {
  const datastores = make(TraversalSpec, { name: 'datastores', type: 'HostSystem', path: 'datastore', skip: false });
  const hosts = make(TraversalSpec, {
    name: 'hosts',
    type: 'VirtualMachine',
    path: 'runtime.host',
    skip: false,
    selectSet: [datastores],
  });
  const vms = make(TraversalSpec, { name: 'vms', type: view.type, path: 'view', skip: false, selectSet: [hosts] });
  return {
    propSet: [propSpec(properties.vm), propSpec(properties.host), propSpec(properties.datastore)],
    objectSet: [{ obj: view, skip: true, selectSet: [vms] }],
    reportMissingObjectsInResults: true,
  };
};
