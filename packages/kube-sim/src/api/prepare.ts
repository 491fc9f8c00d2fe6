import type { AnyObject } from '@vdo/kube/types/object';
import { ApiError, badRequest, type FieldError, invalid, invalidValue } from '../api-error.ts';
import { isObject, omit, timestamp } from '../json.ts';
import { applyDefaults } from '../schema/apply-defaults.ts';
import { prune } from '../schema/prune.ts';
import { type StructuralSchema, splitCommon } from '../schema/structural-schema.ts';
import { validate } from '../schema/validate.ts';
import type { StrategyContext } from '../strategies/resource-type.ts';
import { dropEmpties } from './drop-empties.ts';
import { generatedName, isNewGeneration, keepServerMetadata, metadataErrors } from './object-metadata.ts';
import { type ApiDeps, apiVersionOfTarget, type Target, withMetadata } from './target.ts';

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** Options of a write, from the query of its request. */
export interface WriteContext {
  readonly fieldManager: string;
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Collects the warnings of the reply. */
  warn(message: string): void;
}

/** Checks that a body is an object of the target's kind, namespace and name, and returns it with these filled in. */
export const decodeObject = (body: unknown, target: Target): AnyObject => {
  const { definition } = target;
  if (!isObject(body)) throw badRequest('the body of the request must be a JSON object');
  const apiVersion = apiVersionOfTarget(target);
  const [givenVersion = apiVersion, givenKind = definition.kind] = [body['apiVersion'], body['kind']];
  if (givenVersion !== apiVersion || givenKind !== definition.kind)
    throw badRequest(
      `${String(givenKind)} in version "${String(givenVersion)}" cannot be handled as a ${definition.kind} in version "${apiVersion}"`,
    );
  const given = isObject(body['metadata']) ? body['metadata'] : {};
  const { namespace = target.namespace } = given;
  if (definition.namespaced && namespace !== target.namespace)
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request (${String(namespace)} != ${target.namespace})`,
    );
  const name = given['name'] ?? target.name;
  if (target.name !== undefined && name !== target.name)
    throw badRequest(`the name of the object (${String(name)}) does not match the name on the URL (${target.name})`);
  const metadata = {
    ...omit(given, 'namespace', 'name', 'selfLink'),
    ...(name === undefined ? {} : { name }),
    ...(definition.namespaced ? { namespace } : {}),
  };
  // The body is not typed: other problems of the metadata are found by the validation.
  return { ...body, apiVersion, kind: definition.kind, metadata: metadata as AnyObject['metadata'] };
};

const strategyContext = ({ clock, random, store }: ApiDeps): StrategyContext => ({
  now: timestamp(clock.now()),
  random: random.next,
  list: store.list,
});

const schemas = new WeakMap<Target['version'], StructuralSchema>();
/** The top-level fields of a built-in kind. */
const schemaOf = (version: Target['version']): StructuralSchema => {
  const made = version.schema ?? schemas.get(version);
  if (made) return made;
  const schema = { properties: Object.fromEntries((version.content ?? []).map((name) => [name, free])) };
  schemas.set(version, schema);
  return schema;
};

/** Separates known from unknown fields of the kind. */
const known = (
  object: AnyObject,
  { version }: Target,
): { readonly kept: AnyObject; readonly unknown: readonly string[] } => {
  const { common, content } = splitCommon(object);
  const { value, unknown } = prune(content, schemaOf(version));
  return { kept: { ...common, ...(value as object) } as AnyObject, unknown };
};

const pruned = (object: AnyObject, target: Target, context: WriteContext): AnyObject => {
  const { kept, unknown } = known(object, target);
  if (unknown.length > 0 && context.fieldValidation === 'Strict')
    throw badRequest(`strict decoding error: ${unknown.map((path) => `unknown field "${path}"`).join(', ')}`);
  if (context.fieldValidation === 'Warn') for (const path of unknown) context.warn(`unknown field "${path}"`);
  return kept;
};
const free = { 'x-kubernetes-preserve-unknown-fields': true };

// Built-in kinds that have a status always show one.
const withStatus = (object: AnyObject, { version }: Target): AnyObject =>
  version.hasStatus && object['status'] === undefined ? { ...object, status: {} } : object;

/** Prunes an object and fills in the defaults of its schema or kind. */
const filled = (object: AnyObject, target: Target, context: WriteContext): AnyObject => {
  const kept = dropEmpties(pruned(object, target, context), target.definition.isCustom);
  const { schema } = target.version;
  if (!schema) return target.definition.strategy.defaults?.(withStatus(kept, target)) ?? withStatus(kept, target);
  const { common, content } = splitCommon(kept);
  return { ...common, ...(applyDefaults(content, schema) as object) } as AnyObject;
};

const check = (object: AnyObject, before: AnyObject | undefined, target: Target): void => {
  const { definition, version } = target;
  const { content } = splitCommon(object);
  const errors: readonly FieldError[] = [
    ...metadataErrors(object, before, definition),
    ...(definition.strategy.validate?.(object, before) ?? []),
    ...(version.schema ? validate(content, version.schema) : []),
  ];
  if (errors.length > 0) throw invalid(definition, object.metadata.name ?? '', errors);
};

/** Server-side apply refuses fields and types that it cannot track. A real API server answers 500 here, and so does this one. */
export const checkDeclared = (configuration: AnyObject, target: Target): void => {
  const { schema } = target.version;
  const { kept, unknown } = known(configuration, target);
  const errors = schema ? validate(splitCommon(kept).content, schema) : [];
  const mistyped = errors.filter(({ reason }) => reason === 'FieldValueTypeInvalid');
  const problems = [
    ...unknown.map((path) => `.${path}: field not declared in schema`),
    ...mistyped.map(({ field, message }) => `.${field}: ${message}`),
  ];
  if (problems.length === 0) return;
  const { name = '', namespace = '' } = configuration.metadata;
  const place = `${namespace}/${name}; ${apiVersionOfTarget(target)}, Kind=${target.definition.kind}`;
  throw new ApiError(500, '', `failed to create typed patch object (${place}): ${problems.join('\n')}`);
};

/** Turns a decoded object into the one to store. */
export const prepareCreate = (
  deps: ApiDeps,
  target: Target,
  input: { readonly object: AnyObject; readonly context: WriteContext },
): AnyObject => {
  const { definition, version } = target;
  const { strategy } = definition;
  const { metadata } = input.object;
  if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
  const name =
    metadata.name ?? (metadata.generateName ? generatedName(metadata.generateName, deps.random.next) : undefined);
  const named = withMetadata(input.object, {
    name,
    uid: deps.random.uuid(),
    creationTimestamp: timestamp(deps.clock.now()),
    generation: strategy.hasGeneration ? 1 : undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    resourceVersion: undefined,
  });
  const bare = version.hasStatus && !strategy.keepsStatusOnCreate ? (omit(named, 'status') as AnyObject) : named;
  const full = filled(bare, target, input.context);
  const object = strategy.onCreate?.(full, strategyContext(deps)) ?? full;
  check(object, undefined, target);
  return object;
};

const withPart = (object: AnyObject, from: AnyObject, field: string): AnyObject =>
  from[field] === undefined ? (omit(object, field) as AnyObject) : { ...object, [field]: from[field] };

/** What a write to the status subresource changes: status, and of built-in kinds labels and annotations too. */
const statusOnly = (object: AnyObject, before: AnyObject, isCustom: boolean): AnyObject => {
  const { labels, annotations } = object.metadata;
  return withPart(isCustom ? before : withMetadata(before, { labels, annotations }), object, 'status');
};

/** Turns a decoded or patched object into the successor of the stored one. */
export const prepareUpdate = (
  deps: ApiDeps,
  target: Target,
  input: { readonly object: AnyObject; readonly before: AnyObject; readonly context: WriteContext },
): AnyObject => {
  const { object, before, context } = input;
  const { definition, version, subresource } = target;
  const { strategy } = definition;
  const kept = keepServerMetadata(object, before);
  if (subresource === 'status') {
    const updated = filled(statusOnly(kept, before, definition.isCustom), target, context);
    check(updated, before, target);
    return updated;
  }
  const bare = version.hasStatus ? withPart(kept, before, 'status') : kept;
  const full = filled(bare, target, context);
  const next = strategy.onUpdate?.(full, before, strategyContext(deps)) ?? full;
  check(next, before, target);
  if (before.metadata.name !== next.metadata.name)
    throw invalid(definition, before.metadata.name ?? '', [
      invalidValue('metadata.name', next.metadata.name, 'field is immutable'),
    ]);
  if (!strategy.hasGeneration || !isNewGeneration(next, before)) return next;
  return withMetadata(next, { generation: (before.metadata.generation ?? 0) + 1 });
};
