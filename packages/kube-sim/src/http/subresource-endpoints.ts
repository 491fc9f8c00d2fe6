import type { HttpResponse } from '@vdo/base/http';
import type { AnyObject } from '@vdo/kube/types/object';
import { deleteObject } from '../api/delete.ts';
import { scaleOf, withScale } from '../api/scale.ts';
import { existing, isReadyToGo, type Target, targetKey } from '../api/target.ts';
import { patchTypes, updateObject } from '../api/write.ts';
import { ApiError, badRequest, conflict, methodNotAllowed, notFound } from '../api-error.ts';
import { getIn, listOf, objectOf, stringOf, timestamp } from '../json.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { apiAudience, type Identities } from './identities.ts';
import { mediaTypeOf } from './negotiate.ts';
import { jsonReply, textReply } from './reply.ts';
import { bodyOf, type Exchange, objectReply, resourceReply, writeContext } from './resource-endpoints.ts';

/** What of a log is asked for, as by `kubectl logs`. */
export interface PodLogQuery {
  readonly container: string;
  readonly query: URLSearchParams;
  /** Aborted when the reader goes away. */
  readonly signal: AbortSignal | undefined;
}

/** Where `kubectl logs` finds what a pod wrote: all of it, or just what is asked for, in pieces. */
export type PodLogs = (pod: AnyObject, asked: PodLogQuery) => string | AsyncIterable<Uint8Array> | undefined;

export interface SubresourceDeps {
  readonly identities: Identities;
  readonly podLogs: PodLogs;
}

const writtenScale = (exchange: Exchange, verb: string, current: AnyObject): unknown => {
  const body = bodyOf(exchange);
  if (verb === 'update') return body;
  const isJson = mediaTypeOf(exchange.request.headers['content-type']) === patchTypes.json;
  return isJson ? jsonPatch(current, body) : mergePatch(current, body);
};

const scaleReply = (exchange: Exchange, verb: string): HttpResponse => {
  const { deps, target } = exchange;
  const { scale } = target.version;
  if (!scale) throw methodNotAllowed();
  const object = existing(deps, target);
  if (verb === 'get') return jsonReply(200, scaleOf(object, scale));
  if (verb !== 'update' && verb !== 'patch') throw methodNotAllowed();
  const { context } = writeContext(exchange);
  const body = withScale(object, writtenScale(exchange, verb, scaleOf(object, scale)), scale);
  const { object: next } = updateObject(deps, target, { body, context });
  return jsonReply(200, scaleOf(next, scale));
};

const tokenReply = (exchange: Exchange, { identities }: SubresourceDeps): HttpResponse => {
  const { deps, target } = exchange;
  const { metadata } = existing(deps, target);
  const spec = objectOf(objectOf(bodyOf(exchange))['spec']);
  const lifetimeSeconds = Number(spec['expirationSeconds'] ?? 3_600);
  const account = { namespace: target.namespace ?? '', name: target.name ?? '', uid: metadata.uid ?? '' };
  const wanted = listOf(spec['audiences']).map(stringOf);
  const audiences = wanted.length > 0 ? wanted : [apiAudience];
  const { token, expiresMs } = identities.issue(account, { lifetimeSeconds, audiences });
  return jsonReply(201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name: account.name, namespace: account.namespace, creationTimestamp: timestamp(deps.clock.now()) },
    spec: { ...spec, audiences, expirationSeconds: lifetimeSeconds },
    status: { token, expirationTimestamp: timestamp(expiresMs) },
  });
};

const success = (): HttpResponse =>
  jsonReply(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });

const evictionReply = (exchange: Exchange): HttpResponse => {
  const { deps, target } = exchange;
  const options = objectOf(objectOf(bodyOf(exchange))['deleteOptions']);
  const grace = options['gracePeriodSeconds'];
  const { context } = writeContext(exchange);
  deleteObject(
    deps,
    { ...target, subresource: '' },
    { dryRun: context.dryRun, ...(typeof grace === 'number' ? { gracePeriodSeconds: grace } : {}) },
  );
  return success();
};

/** What the scheduler does: gives a pod its node, once. */
const bindingReply = (exchange: Exchange): HttpResponse => {
  const { deps, target } = exchange;
  const pod = existing(deps, target);
  const node = stringOf(getIn(bodyOf(exchange), ['target', 'name']));
  if (node === '') throw badRequest('target.name: Required value');
  if (getIn(pod, ['spec', 'nodeName']) !== undefined)
    throw conflict(
      target.definition,
      target.name ?? '',
      `pod ${target.name} is already assigned to node "${String(getIn(pod, ['spec', 'nodeName']))}"`,
    );
  deps.store.put(target.definition.bucket, targetKey(target), {
    ...pod,
    spec: { ...objectOf(pod['spec']), nodeName: node },
  });
  return success();
};

const finalizeReply = (exchange: Exchange): HttpResponse => {
  const { deps, target } = exchange;
  const before = existing(deps, target);
  const finalizers = getIn(bodyOf(exchange), ['spec', 'finalizers']);
  const next: AnyObject = { ...before, spec: { ...objectOf(before['spec']), finalizers: listOf(finalizers) } };
  const key = targetKey(target);
  if (isReadyToGo(next)) return objectReply(exchange, deps.store.remove(target.definition.bucket, key, next) ?? next);
  return objectReply(exchange, deps.store.put(target.definition.bucket, key, next));
};

const defaultContainer = (pod: AnyObject): string =>
  stringOf(objectOf(listOf(getIn(pod, ['spec', 'containers']))[0])['name']);

const logReply = (exchange: Exchange, { podLogs }: SubresourceDeps): HttpResponse => {
  const { deps, target, query } = exchange;
  const pod = existing(deps, target);
  const container = query.get('container') || defaultContainer(pod);
  const text = podLogs(pod, { container, query, signal: exchange.request.signal });
  if (text === undefined)
    throw new ApiError(
      400,
      'BadRequest',
      query.get('previous') === 'true'
        ? `previous terminated container "${container}" in pod "${target.name}" not found`
        : `container "${container}" in pod "${target.name}" is waiting to start: ContainerCreating`,
    );
  if (typeof text !== 'string') return { status: 200, headers: { 'content-type': 'text/plain' }, body: text };
  const lines = Number(query.get('tailLines') ?? Number.NaN);
  if (Number.isNaN(lines)) return textReply(200, text);
  return textReply(
    200,
    lines === 0
      ? ''
      : text
          .trimEnd()
          .split('\n')
          .slice(-lines)
          .map((line) => `${line}\n`)
          .join(''),
  );
};

const isServed = ({ definition, version, subresource }: Target): boolean =>
  (subresource === 'status' && version.hasStatus) ||
  (subresource === 'scale' && version.scale !== undefined) ||
  definition.subresources.includes(subresource);

/** Subresources of pods on a real server: there are no containers here to which anything could be sent. */
const ofContainers = ['exec', 'attach', 'portforward'];

const notHere = ({ definition, name, subresource }: Target): ApiError =>
  new ApiError(
    501,
    'NotImplemented',
    `this API server is a simulated one and does not serve ${definition.plural}/${subresource}: what pods write is in their log (kubectl logs ${name})`,
  );

/** Requests below an object: its status, its scale, and what pods, namespaces and service accounts have besides. */
export const subresourceReply = (exchange: Exchange, verb: string, own: SubresourceDeps): HttpResponse => {
  const { target } = exchange;
  if (target.definition.kind === 'Pod' && ofContainers.includes(target.subresource ?? '')) throw notHere(target);
  if (!isServed(target)) throw notFound(target.definition, target.name ?? '');
  const isCreate = verb === 'create';
  switch (target.subresource) {
    case 'status':
      if (!['get', 'update', 'patch'].includes(verb)) throw methodNotAllowed();
      return resourceReply(exchange, verb);
    case 'scale':
      return scaleReply(exchange, verb);
    case 'finalize':
      if (verb !== 'update') throw methodNotAllowed();
      return finalizeReply(exchange);
    case 'log':
      if (verb !== 'get') throw methodNotAllowed();
      return logReply(exchange, own);
  }
  if (!isCreate) throw methodNotAllowed();
  if (target.subresource === 'token') return tokenReply(exchange, own);
  return target.subresource === 'eviction' ? evictionReply(exchange) : bindingReply(exchange);
};
