import { VdoError } from '@vdo/base/vdo-error';
import { isRefused } from '../session/refused.ts';
import type { CallOptions, SoapCaller } from '../soap/soap-client.ts';
import {
  cancelRetrievePropertiesEx,
  continueRetrievePropertiesEx,
  retrieveProperties,
  retrievePropertiesEx,
} from '../wire/methods/property.ts';
import type { MoRef } from '../wire/moref.ts';
import type { Input, Value } from '../wire/schema.ts';
import { ObjectContent, type PropertyFilterSpec } from '../wire/types/property-collector.ts';
import { isMissingObject } from './missing.ts';
import type { PropertySet } from './properties.ts';
import { listSpec, viewSpec } from './specs.ts';

/** An object and those requested properties that vCenter returned. */
export interface Retrieved<V> {
  readonly ref: MoRef;
  readonly values: V;
  /** Properties that vCenter refused, usually for lack of a privilege: path → wire type of the fault. */
  readonly refused: ReadonlyMap<string, string>;
}

export interface RetrieveOptions extends CallOptions {
  readonly collector: MoRef;
  /** Objects per reply; 1000 by default. */
  readonly pageSize?: number;
}

const toRetrieved = <V>(content: Value<typeof ObjectContent>): Retrieved<V> => ({
  ref: content.obj,
  values: Object.fromEntries(content.propSet.map(({ name, val }) => [name, val])) as V,
  refused: new Map(content.missingSet.map(({ path, fault }) => [path, fault.fault.$type ?? ''])),
});

/** Some of the requested objects; `more`: others follow. */
export interface Page<T> {
  readonly objects: readonly T[];
  readonly more: boolean;
}

/** No vCenter has so many objects. A server that never stops sending pages must not block the client forever. */
const mostPages = 10_000;

const endless = (what: string): VdoError =>
  new VdoError({
    code: 'VCenterReplyMalformed',
    message: `vCenter does not finish sending ${what}`,
    remedy:
      'Check whether this server is a vCenter. The request is retried automatically. If this persists, report it.',
  });

/** Runs a filter spec page by page. If the caller stops early, the rest is discarded on the server, too. */
async function* retrievePages(
  vim: SoapCaller,
  specSet: readonly Input<Value<typeof PropertyFilterSpec>>[],
  options: RetrieveOptions,
): AsyncGenerator<Page<Value<typeof ObjectContent>>> {
  const { collector: _this, pageSize = 1000 } = options;
  let page = await vim.call(retrievePropertiesEx, { _this, specSet, options: { maxObjects: pageSize } }, options);
  let pending: string | undefined;
  try {
    for (let pages = 1; page; pages++) {
      pending = page.token;
      if (pages > mostPages) throw endless(`the pages of a list: it sent ${mostPages} and has more`);
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

interface ConvertingRequest<V extends object, T> extends ObjectsRequest<V> {
  /** The part of an object that is kept; the data from vCenter may be much larger. */
  readonly convert: (object: Retrieved<V>) => T;
}

/** One deleted object makes the whole request fail: it is found by bisection and omitted. */
const withoutMissing = async <T>(
  refs: readonly MoRef[],
  read: (some: readonly MoRef[]) => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  if (refs.length === 0) return [];
  try {
    return await read(refs);
  } catch (error) {
    if (!isMissingObject(error)) throw error;
    if (refs.length === 1) return [];
    const middle = Math.ceil(refs.length / 2);
    const first = await withoutMissing(refs.slice(0, middle), read);
    return [...first, ...(await withoutMissing(refs.slice(middle), read))];
  }
};

/** Reads properties of the given objects, page by page. Objects that no longer exist are omitted. */
export const retrieveConverted = <V extends object, T>(
  vim: SoapCaller,
  { properties, refs, convert }: ConvertingRequest<V, T>,
  options: RetrieveOptions,
): Promise<readonly T[]> =>
  withoutMissing(refs, async (some) => {
    const found: T[] = [];
    for await (const page of retrievePages(vim, [listSpec(properties, some)], options))
      for (const content of page.objects) {
        if (found.length >= some.length)
          throw endless(`a list of ${some.length} objects: it sends more than were requested`);
        found.push(convert(toRetrieved<V>(content)));
      }
    return found;
  });

/**
 * The same without pages, with one call per `batchSize` objects, because a server may use much smaller pages than requested.
 * Objects are converted while the reply is read, so that it is never in memory as a whole.
 */
export const retrieveAtOnce = async <V extends object, T>(
  vim: SoapCaller,
  { properties, refs, convert }: ConvertingRequest<V, T>,
  options: CallOptions & { readonly collector: MoRef; readonly batchSize: number },
): Promise<readonly T[]> => {
  const { collector: _this, batchSize, ...call } = options;
  const apply = (object: unknown): unknown => {
    const content = object as Value<typeof ObjectContent>;
    // Not converted: the session needs this error, and then logs in again.
    return isRefused(content) ? content : convert(toRetrieved<V>(content));
  };
  const conversion = { type: ObjectContent.name, apply };
  const found: T[] = [];
  for (let at = 0; at < refs.length; at += batchSize) {
    const batch = await withoutMissing(refs.slice(at, at + batchSize), async (some) => {
      const specSet = [listSpec(properties, some)];
      return (await vim.call(
        retrieveProperties,
        { _this, specSet },
        { ...call, convert: conversion },
      )) as unknown as T[];
    });
    for (const one of batch) found.push(one);
  }
  return found;
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
