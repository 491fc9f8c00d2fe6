import type { HttpRequest, HttpResponse } from '@vdo/base/http';
import { yamlValue } from '@vdo/base/yaml';
import type { AnyObject } from '@vdo/kube/types/object';
import { type DeleteOptions, deleteObject, type Propagation } from '../api/delete.ts';
import type { FieldValidation, WriteContext } from '../api/prepare.ts';
import { type ListOptions, listObjects } from '../api/read.ts';
import { type ApiDeps, apiVersionOfTarget, existing, inVersion, type Target } from '../api/target.ts';
import { createObject, patchObject, patchTypes, updateObject, type Written } from '../api/write.ts';
import { badRequest, methodNotAllowed, unsupportedMediaType } from '../api-error.ts';
import { objectOf } from '../json.ts';
import { type IncludeObject, metadataOf, tableOf } from '../tables/table.ts';
import { mediaTypeOf, negotiate } from './negotiate.ts';
import { decodeProtobuf, protobufType } from './protobuf-body.ts';
import { type Encoder, jsonReply, successStatus } from './reply.ts';

/** One request to a resource, with everything its verb needs. */
export interface Exchange {
  readonly deps: ApiDeps;
  readonly encoder: Encoder;
  readonly target: Target;
  readonly query: URLSearchParams;
  readonly request: HttpRequest;
  /** From a `stale` fault; 0 without one. */
  readonly staleByRevisions: number;
}

/** The decoded body; undefined without one. */
export const bodyOf = ({ request }: Exchange): unknown => {
  const { body = '' } = request;
  const type = mediaTypeOf(request.headers['content-type']);
  if (body.length === 0) return undefined;
  if (type === protobufType) return decodeProtobuf(Buffer.from(body));
  const [, format = type === '' ? 'json' : undefined] = /[/+](json|yaml)$/.exec(type) ?? [];
  if (format === undefined) throw unsupportedMediaType(type, ['application/json', 'application/yaml', protobufType]);
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  // Most of what is announced as YAML is JSON, which is YAML too and read much faster.
  const isJson = format === 'json' || text.startsWith('{');
  try {
    return isJson ? JSON.parse(text) : yamlValue(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw badRequest(`the body of the request is not valid ${format.toUpperCase()}: ${reason}`);
  }
};

const dryRunOf = (values: readonly unknown[]): boolean => {
  if (values.some((value) => value !== 'All'))
    throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(values)}: supported values: "All"`);
  return values.length > 0;
};

const isFieldValidation = (text: string): text is FieldValidation => ['Strict', 'Warn', 'Ignore'].includes(text);

/** The context of a write, and the warnings it collects. */
export const writeContext = ({
  query,
  request,
}: Exchange): { readonly context: WriteContext; readonly warnings: readonly string[] } => {
  const warnings: string[] = [];
  const validation = query.get('fieldValidation') || 'Warn';
  if (!isFieldValidation(validation))
    throw badRequest(`fieldValidation: Unsupported value: ${JSON.stringify(validation)}`);
  const isApply = mediaTypeOf(request.headers['content-type']) === patchTypes.apply;
  // A writer that does not name itself is known by its program, the part of the user agent before the slash.
  const agent = isApply ? '' : ((request.headers['user-agent'] ?? '').split('/')[0] ?? '') || 'unknown';
  return {
    warnings,
    context: {
      fieldManager: query.get('fieldManager') ?? agent,
      dryRun: dryRunOf(query.getAll('dryRun')),
      fieldValidation: validation,
      warn: (message) => warnings.push(message),
    },
  };
};

const includeOf = (query: URLSearchParams): IncludeObject => {
  const value = query.get('includeObject');
  return value === 'None' || value === 'Object' ? value : 'Metadata';
};

/** A single object in the representation that was asked for. */
export const objectReply = (
  exchange: Exchange,
  object: AnyObject,
  options: { readonly status?: number; readonly warnings?: readonly string[] } = {},
): HttpResponse => {
  const { deps, encoder, target, query, request } = exchange;
  const shown = inVersion(object, target);
  const representation = negotiate(request.headers['accept']);
  const texts = (options.warnings ?? []).map((text) => `299 - ${JSON.stringify(text)}`);
  const headers = texts.length > 0 ? { warning: texts.join(', ') } : undefined;
  const { status = 200 } = options;
  if (representation === 'metadata') return jsonReply(status, metadataOf(shown), headers);
  if (representation === 'object') return jsonReply(status, encoder.object(shown), headers);
  const { resourceVersion } = shown.metadata;
  const table = tableOf(target, [shown], {
    nowMs: deps.clock.now(),
    include: includeOf(query),
    metadata: { resourceVersion },
  });
  return jsonReply(status, table, headers);
};

const getReply = (exchange: Exchange): HttpResponse => {
  const { deps, target, staleByRevisions } = exchange;
  if (staleByRevisions === 0) return objectReply(exchange, existing(deps, target));
  const { items } = listObjects(deps, target, { ...listOptions(exchange), limit: 0, continue: '' });
  return objectReply(exchange, items[0] ?? existing(deps, target));
};

export const listOptions = ({ query, staleByRevisions }: Exchange): ListOptions => ({
  labelSelector: query.get('labelSelector') ?? '',
  fieldSelector: query.get('fieldSelector') ?? '',
  limit: Number(query.get('limit') ?? 0),
  continue: query.get('continue') ?? '',
  resourceVersion: query.get('resourceVersion') ?? '',
  resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
  staleByRevisions,
});

const listReply = (exchange: Exchange): HttpResponse => {
  const { deps, encoder, target, query, request } = exchange;
  const { items, ...page } = listObjects(deps, target, listOptions(exchange));
  const metadata = page;
  const representation = negotiate(request.headers['accept']);
  if (representation === 'table')
    return jsonReply(200, tableOf(target, items, { nowMs: deps.clock.now(), include: includeOf(query), metadata }));
  if (representation === 'metadata')
    return jsonReply(200, {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      items: items.map(metadataOf),
    });
  const { isCustom, kind } = target.definition;
  const encoded = items.map((item) => (isCustom ? encoder.object(inVersion(item, target)) : encoder.item(item)));
  const head = JSON.stringify({ kind: `${kind}List`, apiVersion: apiVersionOfTarget(target), metadata });
  return jsonReply(200, `${head.slice(0, -1)},"items":[${encoded.join(',')}]}`);
};

const written = (exchange: Exchange, result: Written, warnings: readonly string[]): HttpResponse =>
  objectReply(exchange, result.object, { status: result.isNew ? 201 : 200, warnings });

const patchReply = (exchange: Exchange): HttpResponse => {
  const { deps, target, query, request } = exchange;
  const { context, warnings } = writeContext(exchange);
  const type = mediaTypeOf(request.headers['content-type']);
  const patch = { type, body: bodyOf(exchange), force: ['true', '1'].includes(query.get('force') ?? '') };
  return written(exchange, patchObject(deps, target, { patch, context }), warnings);
};

const isPropagation = (value: unknown): value is Propagation =>
  ['Foreground', 'Background', 'Orphan'].includes(String(value));

const deleteOptions = (exchange: Exchange): DeleteOptions => {
  const { query } = exchange;
  const body = objectOf(bodyOf(exchange));
  const { uid, resourceVersion } = objectOf(body['preconditions']);
  const grace = body['gracePeriodSeconds'] ?? query.get('gracePeriodSeconds') ?? undefined;
  const isOrphaning = body['orphanDependents'] === true || query.get('orphanDependents') === 'true';
  const propagation =
    body['propagationPolicy'] ?? query.get('propagationPolicy') ?? (isOrphaning ? 'Orphan' : undefined);
  if (propagation !== undefined && !isPropagation(propagation))
    throw badRequest(`propagationPolicy: Unsupported value: ${JSON.stringify(propagation)}`);
  const dryRun = Array.isArray(body['dryRun']) ? body['dryRun'] : query.getAll('dryRun');
  return {
    dryRun: dryRunOf(dryRun),
    ...(propagation === undefined ? {} : { propagation }),
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  };
};

const deleteReply = (exchange: Exchange): HttpResponse => {
  const { deps, target } = exchange;
  const { object, isGone } = deleteObject(deps, target, deleteOptions(exchange));
  if (!isGone) return objectReply(exchange, object);
  const { group, plural } = target.definition;
  const { name = '', uid = '' } = object.metadata;
  return jsonReply(200, successStatus({ name, ...(group === '' ? {} : { group }), kind: plural, uid }));
};

const deleteCollectionReply = (exchange: Exchange): HttpResponse => {
  const { deps, target } = exchange;
  const options = deleteOptions(exchange);
  const { items, resourceVersion } = listObjects(deps, target, { ...listOptions(exchange), limit: 0 });
  const deleted = items.map(({ metadata: { name = '', namespace } }) =>
    deleteObject(deps, { ...target, name, ...(namespace === undefined ? {} : { namespace }) }, options),
  );
  return jsonReply(200, {
    kind: `${target.definition.kind}List`,
    apiVersion: apiVersionOfTarget(target),
    metadata: { resourceVersion },
    items: deleted.map(({ object }) => object),
  });
};

/** Verbs on objects, their status included; a watch is a stream and lives elsewhere. */
export const resourceReply = (exchange: Exchange, verb: string): HttpResponse => {
  const { deps, target } = exchange;
  switch (verb) {
    case 'get':
      return getReply(exchange);
    case 'list':
      return listReply(exchange);
    case 'patch':
      return patchReply(exchange);
    case 'delete':
      return deleteReply(exchange);
    case 'deletecollection':
      return deleteCollectionReply(exchange);
    case 'create':
    case 'update': {
      if ((verb === 'create') === (target.name !== undefined)) throw methodNotAllowed();
      const { context, warnings } = writeContext(exchange);
      const write = verb === 'create' ? createObject : updateObject;
      return written(exchange, write(deps, target, { body: bodyOf(exchange), context }), warnings);
    }
    default:
      throw methodNotAllowed();
  }
};
