import {
  createContainerView,
  createListView,
  destroyView,
  modifyListView,
  resetListView,
} from '@vdo/vsphere/wire/methods/property';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';
import { faults } from '../../sim-fault.ts';
import { type Call, handle, type MethodHandler } from '../method-handler.ts';

const listed = ({ core, client }: Call, view: MoRef): readonly MoRef[] => {
  if (!client.views.has(morefKey(view))) throw faults.managedObjectNotFound(view);
  return (core.store.get(view)?.properties['view'] as readonly MoRef[] | undefined) ?? [];
};

/** Splits into objects that exist and those that do not. */
const known = ({ client }: Call, refs: readonly MoRef[]) => ({
  found: refs.filter((ref) => client.reader.get(ref) !== undefined && client.reader.canRead(ref)),
  unresolved: refs.filter((ref) => client.reader.get(ref) === undefined || !client.reader.canRead(ref)),
});

const unique = (refs: readonly MoRef[]): readonly MoRef[] => [
  ...new Map(refs.map((ref) => [morefKey(ref), ref])).values(),
];

export const viewMethods: readonly MethodHandler[] = [
  handle(createContainerView, ({ container, type, recursive }, call) => {
    const ref = call.client.newRef('ContainerView');
    call.core.containers.open(ref, { container, type, recursive });
    call.client.views.set(morefKey(ref), ref);
    return ref;
  }),

  handle(createListView, ({ obj }, call) => {
    const { found, unresolved } = known(call, obj);
    const [missing] = unresolved;
    if (missing) throw faults.managedObjectNotFound(missing);
    const ref = call.client.newRef('ListView');
    call.core.store.put(ref, { view: unique(found) });
    call.client.views.set(morefKey(ref), ref);
    return ref;
  }),

  handle(modifyListView, ({ _this, add, remove }, call) => {
    const removed = new Set(remove.map(morefKey));
    const before = listed(call, _this);
    const { found, unresolved } = known(call, add);
    const view = unique([...before.filter((ref) => !removed.has(morefKey(ref))), ...found]);
    call.core.store.update(_this, { view });
    return [...unresolved, ...remove.filter((ref) => !before.some((other) => morefKey(other) === morefKey(ref)))];
  }),

  handle(resetListView, ({ _this, obj }, call) => {
    listed(call, _this);
    const { found, unresolved } = known(call, obj);
    call.core.store.update(_this, { view: unique(found) });
    return unresolved;
  }),

  handle(destroyView, ({ _this }, { core, client }) => {
    if (!client.views.delete(morefKey(_this))) throw faults.managedObjectNotFound(_this);
    core.containers.close(_this);
    return undefined;
  }),
];
