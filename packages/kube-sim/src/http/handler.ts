import type { HttpRequest, HttpResponse, HttpTransport } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import type { Logger } from '@vdo/base/logger';
import { decodeObject } from '../api/prepare.ts';
import type { ApiDeps, Target } from '../api/target.ts';
import { ApiError, forbidden, methodNotAllowed } from '../api-error.ts';
import { type FaultEffect, type Faults, type FaultTarget, sufferBefore } from '../faults.ts';
import { discover } from './discovery.ts';
import type { Identity } from './identities.ts';
import { wantsAggregatedDiscovery } from './negotiate.ts';
import { openApi } from './openapi.ts';
import { type Encoder, errorReply, jsonReply, textReply } from './reply.ts';
import { parseRequest, type RequestInfo, type ResourcePath } from './request-info.ts';
import { bodyOf, type Exchange, resourceReply } from './resource-endpoints.ts';
import { answerReview } from './reviews.ts';
import { type SubresourceDeps, subresourceReply } from './subresource-endpoints.ts';
import { watchReply } from './watch-endpoint.ts';

export interface HandlerDeps extends ApiDeps, SubresourceDeps {
  readonly logger: Logger;
  readonly encoder: Encoder;
  readonly faults: Faults;
  /** gitVersion, e.g. `v1.34.4`. */
  readonly version: string;
  readonly bookmarkEveryMs: number;
  /** Breaks all watches that run at the moment it fires; asked for at the start of each watch. */
  watchBreaker(): AbortSignal;
}

const versionInfo = (gitVersion: string): object => {
  const [, major = '1', minor = '0'] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  return {
    major,
    minor,
    gitVersion,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '',
    goVersion: '',
    compiler: '',
    platform: '',
  };
};

const faultTarget = (resource: ResourcePath | undefined, identity: Identity, info: RequestInfo): FaultTarget => ({
  user: identity.user,
  verb: resource?.verb ?? info.method.toLowerCase(),
  group: resource?.group ?? '',
  resource: resource ? [resource.plural, resource.subresource].filter(Boolean).join('/') : '',
  namespace: resource?.namespace ?? '',
  name: resource?.name ?? '',
});

const denial = (target: FaultTarget): ApiError => {
  const place = target.namespace === '' ? 'at the cluster scope' : `in the namespace "${target.namespace}"`;
  const named = { group: target.group, plural: target.resource, kind: '' };
  return forbidden(
    named,
    target.name,
    `User "${target.user}" cannot ${target.verb} resource "${target.resource}" in API group "${target.group}" ${place}`,
  );
};

const staleness = (effects: readonly FaultEffect[]): number =>
  effects.reduce((sum, effect) => (effect.kind === 'stale' ? sum + effect.revisions : sum), 0);

const pathReply = (deps: HandlerDeps, { path }: RequestInfo, accept: string | undefined): HttpResponse => {
  if (path === '/version') return jsonReply(200, versionInfo(deps.version));
  if (['/healthz', '/livez', '/readyz'].includes(path)) return textReply(200, 'ok');
  const isAggregated = wantsAggregatedDiscovery(accept);
  const found = discover(deps.registry, path, isAggregated) ?? openApi(deps.registry, path);
  if (!found) return textReply(404, '404 page not found\n');
  const isList = 'items' in found;
  const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return jsonReply(200, found, isAggregated && isList ? { 'content-type': type } : {});
};

const targetOf = (deps: HandlerDeps, resource: ResourcePath): Target | undefined => {
  const served = deps.registry.find(resource.group, resource.version, resource.plural);
  if (!served) return undefined;
  const isMisplaced = !served.definition.namespaced && resource.namespace !== undefined;
  // A collection of a namespaced resource without a namespace spans all; an object without one does not exist.
  const isHomeless = served.definition.namespaced && resource.namespace === undefined && resource.name !== undefined;
  if (isMisplaced || isHomeless) return undefined;
  return {
    ...served,
    subresource: resource.subresource,
    ...(resource.namespace === undefined ? {} : { namespace: resource.namespace }),
    ...(resource.name === undefined ? {} : { name: resource.name }),
  };
};

const reviewReply = (deps: HandlerDeps, exchange: Exchange, verb: string, identity: Identity): HttpResponse => {
  if (verb !== 'create') throw methodNotAllowed();
  return jsonReply(201, answerReview(decodeObject(bodyOf(exchange), exchange.target), identity, deps));
};

const startWatch = (deps: HandlerDeps, exchange: Exchange, effects: readonly FaultEffect[]): HttpResponse => {
  const broken = new AbortController();
  const drop = effects.find((effect) => effect.kind === 'drop-watch');
  const cancel = drop ? deps.clock.schedule(() => broken.abort(), drop.afterMs) : () => {};
  exchange.request.signal?.addEventListener('abort', cancel, { once: true });
  const breaker = deps.watchBreaker();
  return watchReply(exchange, {
    bookmarkEveryMs: deps.bookmarkEveryMs,
    broken: AbortSignal.any([broken.signal, breaker]),
  });
};

const handle = async (deps: HandlerDeps, request: HttpRequest): Promise<HttpResponse> => {
  const info = parseRequest(request.method, request.path);
  const { resource } = info;
  const identity = deps.identities.ofRequest(request.headers);
  const concerned = faultTarget(resource, identity, info);
  const effects = deps.faults.take(concerned);
  await sufferBefore(effects, { clock: deps.clock, ...(request.signal ? { signal: request.signal } : {}) });
  if (!resource) return pathReply(deps, info, request.headers['accept']);
  if (deps.faults.isDenied(concerned)) throw denial(concerned);
  const target = targetOf(deps, resource);
  if (!target) return textReply(404, '404 page not found\n');
  const exchange: Exchange = {
    deps,
    encoder: deps.encoder,
    target,
    query: info.query,
    request,
    staleByRevisions: staleness(effects),
  };
  if (target.definition.isReview) return reviewReply(deps, exchange, resource.verb, identity);
  if (resource.verb === 'watch') return startWatch(deps, exchange, effects);
  const reply =
    resource.subresource === ''
      ? resourceReply(exchange, resource.verb)
      : subresourceReply(exchange, resource.verb, deps);
  if (effects.some(({ kind }) => kind === 'lose-reply'))
    throw new HttpFailure('interrupted', 'the simulated connection broke before the reply');
  return reply;
};

/** The HTTP handler of the server. It is connected to a client in memory, or served on a socket. */
export const createHandler =
  (deps: HandlerDeps): HttpTransport =>
  async (request) => {
    request.signal?.throwIfAborted();
    try {
      return await handle(deps, request);
    } catch (error) {
      if (error instanceof ApiError) return errorReply(error);
      if (error instanceof HttpFailure || request.signal?.aborted) throw error;
      deps.logger.error('request failed', { method: request.method, path: request.path, error });
      return errorReply(
        new ApiError(
          500,
          'InternalError',
          `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
    }
  };
