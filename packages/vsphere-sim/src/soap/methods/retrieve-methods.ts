import {
  cancelRetrievePropertiesEx,
  continueRetrievePropertiesEx,
  retrieveProperties,
  retrievePropertiesEx,
} from '@vdo/vsphere/wire/methods/property';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Input, Value } from '@vdo/vsphere/wire/schema';
import type { ObjectContent, PropertyFilterSpec, RetrieveResult } from '@vdo/vsphere/wire/types/property-collector';
import { createSessionReader } from '../../access/session-reader.ts';
import type { Core } from '../../core.ts';
import type { InventoryReader } from '../../property/inventory-reader.ts';
import { createPathFinder, projectObject } from '../../property/project-object.ts';
import { propertyNames } from '../../property/property-schema.ts';
import { selectObjects } from '../../property/select-objects.ts';
import { faults } from '../../sim-fault.ts';
import type { ClientSession } from '../client-session.ts';
import { type AnonymousCall, handle, handleAnonymous, type MethodHandler } from '../method-handler.ts';
import { checkFilterSpec, createValueEncoder, missingProperties } from '../property-values.ts';

type Spec = Value<typeof PropertyFilterSpec>;
type Content = Input<Value<typeof ObjectContent>>;
type Result = Input<Value<typeof RetrieveResult>>;

/** What any client may read before login; everything else needs a session. */
const publicTypes = ['ServiceInstance', 'SessionManager'];

const readerOf = (call: AnonymousCall, specs: readonly Spec[]): InventoryReader => {
  if (call.client) return call.client.reader;
  const asked = specs.flatMap((spec) => spec.objectSet.map(({ obj }) => obj));
  const secret = asked.find(({ type }) => !publicTypes.includes(type));
  if (secret) throw faults.notAuthenticated(secret);
  const { store, permissions, rootFolder } = call.core;
  return createSessionReader({ store, permissions, rootFolder, principal: { user: '', groups: [] } });
};

/** Each object with its requested properties; read when it is sent, not when it was found. */
const findObjects = (reader: InventoryReader, spec: Spec): readonly (() => Content | undefined)[] => {
  checkFilterSpec(spec);
  const { objects, missing } = selectObjects(reader, spec.objectSet);
  const [lost] = missing;
  if (lost && !spec.reportMissingObjectsInResults) throw faults.managedObjectNotFound(lost);
  const pathsOf = createPathFinder(spec.propSet, propertyNames);
  const encode = createValueEncoder();
  const contentOf = (obj: MoRef): Content | undefined => {
    const object = reader.get(obj);
    const paths = pathsOf(obj.type);
    if (!object || !paths) return undefined;
    if (!reader.canRead(obj)) return { obj, missingSet: missingProperties(obj, paths) };
    const values = [...projectObject(object, paths)];
    return { obj, propSet: values.map(([name, value]) => ({ name, val: encode(obj.type, name, value) })) };
  };
  return [...objects.values()].map((ref) => () => contentOf(ref));
};

const retrieve = (call: AnonymousCall, specs: readonly Spec[], maxObjects: number): Result | undefined => {
  const reader = readerOf(call, specs);
  const found = specs.flatMap((spec) => findObjects(reader, spec));
  return page(call.core, call.client, { rest: found, size: maxObjects });
};

const page = (
  core: Core,
  client: ClientSession | undefined,
  { rest, size }: { readonly rest: readonly (() => Content | undefined)[]; readonly size: number },
): Result | undefined => {
  const objects = rest.slice(0, size).flatMap((read) => read() ?? []);
  const later = rest.slice(size);
  if (later.length === 0 || !client) return objects.length === 0 && later.length === 0 ? undefined : { objects };
  const token = core.random.uuid();
  client.retrievals.set(token, () => page(core, client, { rest: later, size }));
  return { token, objects };
};

export const retrieveMethods: readonly MethodHandler[] = [
  handleAnonymous(
    retrieveProperties,
    ({ specSet }, call) => retrieve(call, specSet, Number.POSITIVE_INFINITY)?.objects ?? [],
  ),

  handleAnonymous(retrievePropertiesEx, ({ specSet, options }, call) => {
    const { maxObjects } = options;
    if (maxObjects !== undefined && maxObjects <= 0) throw faults.invalidArgument('options.maxObjects');
    const limit = call.core.limits.retrieveObjects;
    return retrieve(call, specSet, Math.min(maxObjects ?? limit, limit));
  }),

  handle(continueRetrievePropertiesEx, ({ token }, { client }) => {
    const next = client.retrievals.get(token);
    client.retrievals.delete(token);
    if (!next) throw faults.invalidArgument('token');
    return (next() as Result | undefined) ?? {};
  }),

  handle(cancelRetrievePropertiesEx, ({ token }, { client }) => {
    if (!client.retrievals.delete(token)) throw faults.invalidArgument('token');
    return undefined;
  }),
];
