import { type HttpHeaders, type HttpResponse, httpResponse } from '@vdo/base/http';
import type { AnyObject, StatusReply } from '@vdo/kube/types/object';
import type { ApiError } from '../api-error.ts';
import { omit } from '../json.ts';

const jsonHeaders: HttpHeaders = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };

export const jsonReply = (status: number, body: object | string, headers: HttpHeaders = {}): HttpResponse =>
  httpResponse(status, typeof body === 'string' ? body : JSON.stringify(body), { ...jsonHeaders, ...headers });

export const textReply = (status: number, text: string): HttpResponse =>
  httpResponse(status, text, { 'content-type': 'text/plain; charset=utf-8' });

export const errorReply = ({ reply }: ApiError): HttpResponse => {
  const seconds = reply.details?.retryAfterSeconds;
  return jsonReply(
    reply.code,
    { ...reply, metadata: {} },
    seconds === undefined ? {} : { 'retry-after': String(seconds) },
  );
};

export const successStatus = (details: NonNullable<StatusReply['details']> & { readonly uid?: string }): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details,
});

/** Turns stored objects into JSON, each once: they never change, and lists and watches send them again and again. */
export interface Encoder {
  object(object: AnyObject): string;
  /** As an item of a list: a real server leaves out apiVersion and kind of built-in kinds there. */
  item(object: AnyObject): string;
}

export const createEncoder = (): Encoder => {
  const objects = new WeakMap<AnyObject, string>();
  const items = new WeakMap<AnyObject, string>();
  const cached = (cache: WeakMap<AnyObject, string>, object: AnyObject, encode: () => string): string => {
    const known = cache.get(object);
    if (known !== undefined) return known;
    const made = encode();
    cache.set(object, made);
    return made;
  };
  return {
    object: (object) => cached(objects, object, () => JSON.stringify(object)),
    item: (object) => cached(items, object, () => JSON.stringify(omit(object, 'apiVersion', 'kind'))),
  };
};
