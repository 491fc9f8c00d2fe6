import {
  cancelWaitForUpdates,
  createFilter,
  createPropertyCollector,
  destroyPropertyCollector,
  destroyPropertyFilter,
  waitForUpdatesEx,
} from '@vdo/vsphere/wire/methods/property';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import type { Input, Value } from '@vdo/vsphere/wire/schema';
import type { MissingObject, ObjectUpdate, UpdateSet } from '@vdo/vsphere/wire/types/property-collector';
import type { UpdateBatch } from '../../property/property-collector.ts';
import type { ObjectChange } from '../../property/property-filter.ts';
import { faults } from '../../sim-fault.ts';
import { handle, type MethodHandler } from '../method-handler.ts';
import { checkFilterSpec, createValueEncoder, missingProperties } from '../property-values.ts';

const toMissingObject = (obj: MoRef): Input<Value<typeof MissingObject>> => {
  const { fault, message } = faults.managedObjectNotFound(obj);
  return { obj, fault: { fault, localizedMessage: message } };
};

const toUpdateSet = (batch: UpdateBatch): Input<Value<typeof UpdateSet>> => {
  const encode = createValueEncoder();
  const toObjectUpdate = ({ kind, ref, changes, denied }: ObjectChange): Input<Value<typeof ObjectUpdate>> => ({
    kind,
    obj: ref,
    changeSet: [...changes].map(([name, value]) => ({
      name,
      op: 'assign',
      ...(value === undefined ? {} : { val: encode(ref.type, name, value) }),
    })),
    missingSet: missingProperties(ref, denied),
  });
  return {
    version: batch.version,
    filterSet: batch.filters.map(({ filter, changes, missing }) => ({
      filter,
      objectSet: changes.map(toObjectUpdate),
      missingSet: missing.map(toMissingObject),
    })),
    truncated: batch.truncated,
  };
};

export const updateMethods: readonly MethodHandler[] = [
  handle(createPropertyCollector, (_request, { client }) => client.newCollector()),

  handle(destroyPropertyCollector, ({ _this }, { client }) => {
    client.endCollector(_this);
    return undefined;
  }),

  handle(createFilter, ({ _this, spec }, { client }) => {
    checkFilterSpec(spec);
    const lost = spec.objectSet.find(({ obj }) => client.reader.get(obj) === undefined);
    if (lost && !spec.reportMissingObjectsInResults) throw faults.managedObjectNotFound(lost.obj);
    const collector = client.collector(_this);
    const ref = client.newRef('PropertyFilter');
    collector.addFilter(ref, spec);
    client.filters.set(morefKey(ref), collector);
    return ref;
  }),

  handle(destroyPropertyFilter, ({ _this }, { client }) => {
    const collector = client.filters.get(morefKey(_this));
    if (!collector?.removeFilter(_this)) throw faults.managedObjectNotFound(_this);
    client.filters.delete(morefKey(_this));
    return undefined;
  }),

  handle(waitForUpdatesEx, async ({ _this, version = '', options }, { client, signal }) => {
    const { maxWaitSeconds, maxObjectUpdates } = options ?? {};
    if ((maxWaitSeconds ?? 0) < 0) throw faults.invalidArgument('options.maxWaitSeconds');
    if ((maxObjectUpdates ?? 1) <= 0) throw faults.invalidArgument('options.maxObjectUpdates');
    const batch = await client.collector(_this).wait({
      version,
      ...(maxWaitSeconds === undefined ? {} : { maxWaitMs: maxWaitSeconds * 1000 }),
      ...(maxObjectUpdates === undefined ? {} : { maxObjectUpdates }),
      ...(signal ? { signal } : {}),
    });
    return batch && toUpdateSet(batch);
  }),

  handle(cancelWaitForUpdates, ({ _this }, { client }) => {
    client.collector(_this).cancel();
    return undefined;
  }),
];
