import type { CallOptions, SoapCaller } from '../soap/soap-client.ts';
import {
  cancelRetrievePropertiesEx,
  continueRetrievePropertiesEx,
  retrievePropertiesEx,
} from '../wire/methods/property.ts';
import type { MoRef } from '../wire/moref.ts';
import type { Input, Value } from '../wire/schema.ts';
import type { ObjectContent, PropertyFilterSpec } from '../wire/types/property-collector.ts';
import { isMissingObject } from './missing.ts';
import type { PropertySet } from './properties.ts';
import { listSpec, viewSpec } from './specs.ts';

/** An object and those of the asked properties that vCenter gave. */
export interface Retrieved<V> {
  readonly ref: MoRef;
  readonly values: V;
  /** Properties that vCenter refused, usually for lack of a privilege: path → wire type of the fault. */
  readonly refused: ReadonlyMap<string, string>;
}

export interface RetrieveOptions extends CallOptions {
  readonly collector: MoRef;
  /** Objects per reply. Default 1000. */
  readonly pageSize?: number;
}

const toRetrieved = <V>(content: Value<typeof ObjectContent>): Retrieved<V> => ({
  ref: content.obj,
  values: Object.fromEntries(content.propSet.map(({ name, val }) => [name, val])) as V,
  refused: new Map(content.missingSet.map(({ path, fault }) => [path, fault.fault.$type ?? ''])),
});

/** Some of the objects that were asked for; `more` tells that others follow. */
export interface Page<T> {
  readonly objects: readonly T[];
  readonly more: boolean;
}

/** Runs a filter spec page by page. Whoever stops early has the rest dropped on the server too. */
async function* retrievePages(
  vim: SoapCaller,
  specSet: readonly Input<Value<typeof PropertyFilterSpec>>[],
  options: RetrieveOptions,
): AsyncGenerator<Page<Value<typeof ObjectContent>>> {
  const { collector: _this, pageSize = 1000 } = options;
  let page = await vim.call(retrievePropertiesEx, { _this, specSet, options: { maxObjects: pageSize } }, options);
  let pending: string | undefined;
  try {
    while (page) {
      pending = page.token;
      yield { objects: page.objects, more: pending !== undefined };
      if (pending === undefined) return;
      const token = pending;
      pending = undefined;
      page = await vim.call(continueRetrievePropertiesEx, { _this, token }, options);
    }
  } finally {
    if (pending !== undefined)
      await vim
        .call(cancelRetrievePropertiesEx, { _this, token: pending }, { timeoutMs: 5_000 })
        .catch(() => undefined);
  }
}

interface ObjectsRequest<V extends object> {
  readonly properties: PropertySet<V>;
  readonly refs: readonly MoRef[];
}

/**
 * Reads properties of the given objects and keeps of each what `convert` makes of it, page by page: what vCenter sends
 * may weigh many times that. Objects that no longer exist are left out.
 */
export const retrieveConverted = async <V extends object, T>(
  vim: SoapCaller,
  request: ObjectsRequest<V> & { readonly convert: (object: Retrieved<V>) => T },
  options: RetrieveOptions,
): Promise<readonly T[]> => {
  if (request.refs.length === 0) return [];
  const collect = async (refs: readonly MoRef[]): Promise<T[]> => {
    const found: T[] = [];
    for await (const page of retrievePages(vim, [listSpec(request.properties, refs)], options))
      for (const content of page.objects) found.push(request.convert(toRetrieved<V>(content)));
    return found;
  };
  try {
    return await collect(request.refs);
  } catch (error) {
    // One vanished object fails the whole request: find it by halves.
    if (!isMissingObject(error)) throw error;
    if (request.refs.length === 1) return [];
    const middle = Math.ceil(request.refs.length / 2);
    const half = (refs: readonly MoRef[]) => retrieveConverted(vim, { ...request, refs }, options);
    return [...(await half(request.refs.slice(0, middle))), ...(await half(request.refs.slice(middle)))];
  }
};

/** Reads properties of the given objects. Objects that no longer exist are left out. */
export const retrieveObjects = <V extends object>(
  vim: SoapCaller,
  request: ObjectsRequest<V>,
  options: RetrieveOptions,
): Promise<readonly Retrieved<V>[]> => retrieveConverted(vim, { ...request, convert: (object) => object }, options);

/** Reads properties of everything in a view, page by page, so that the caller keeps only what it needs. */
export async function* retrieveViewPages<V extends object>(
  vim: SoapCaller,
  request: { readonly properties: PropertySet<V>; readonly view: MoRef },
  options: RetrieveOptions,
): AsyncGenerator<Page<Retrieved<V>>> {
  for await (const { objects, more } of retrievePages(vim, [viewSpec(request.properties, request.view)], options))
    yield { objects: objects.map((content) => toRetrieved<V>(content)), more };
}

/** The same, object by object. */
export async function* retrieveView<V extends object>(
  vim: SoapCaller,
  request: { readonly properties: PropertySet<V>; readonly view: MoRef },
  options: RetrieveOptions,
): AsyncGenerator<Retrieved<V>> {
  for await (const { objects } of retrieveViewPages(vim, request, options)) yield* objects;
}
