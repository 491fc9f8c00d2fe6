import type { AnyObject } from '@vdo/kube/types/object';
import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  invalid,
  invalidValue,
  notFound,
  staleVersion,
  unsupportedMediaType,
} from '../api-error.ts';
import { applyConfiguration, type OwnershipChange, recordUpdate } from '../apply/server-side-apply.ts';
import { deepEqual, isObject, stringOf, timestamp } from '../json.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { strategicPatch } from '../patch/strategic-patch.ts';
import { checkDeclared, decodeObject, prepareCreate, prepareUpdate, type WriteContext } from './prepare.ts';
import {
  type ApiDeps,
  apiVersionOfTarget,
  existing,
  inVersion,
  isReadyToGo,
  type Target,
  targetKey,
} from './target.ts';

export interface Written {
  readonly object: AnyObject;
  readonly isNew: boolean;
}

export interface PatchBody {
  /** The media type, e.g. `application/merge-patch+json`. */
  readonly type: string;
  readonly body: unknown;
  /** Server-side apply only. */
  readonly force: boolean;
}

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

const namespaces = { group: '', plural: 'namespaces', kind: 'Namespace' };

const checkNamespace = ({ store }: ApiDeps, { definition, namespace, name }: Target): void => {
  if (!definition.namespaced) return;
  const found = store.get('/namespaces', `/${namespace ?? ''}`);
  if (!found) throw notFound(namespaces, namespace ?? '');
  if (found.metadata.deletionTimestamp !== undefined)
    throw forbidden(
      definition,
      name ?? '',
      `unable to create new content in namespace ${namespace} because it is being terminated`,
    );
};

const ownership = (deps: ApiDeps, target: Target, context: WriteContext): OwnershipChange => ({
  manager: context.fieldManager,
  apiVersion: apiVersionOfTarget(target),
  subresource: target.subresource,
  time: timestamp(deps.clock.now()),
  type: target.version.mergeType,
  hasStatus: target.version.hasStatus,
});

const commitNew = ({ store }: ApiDeps, target: Target, object: AnyObject, dryRun: boolean): Written => {
  const { name = '' } = object.metadata;
  const key = targetKey({ ...target, name });
  if (store.get(target.definition.bucket, key)) throw alreadyExists(target.definition, name);
  return { object: dryRun ? object : store.put(target.definition.bucket, key, object), isNew: true };
};

const commitNext = (
  { store }: ApiDeps,
  target: Target,
  objects: { before: AnyObject; next: AnyObject },
  dryRun: boolean,
): Written => {
  const { before, next } = objects;
  if (deepEqual(before, next)) return { object: before, isNew: false };
  const { bucket } = target.definition;
  if (dryRun) return { object: next, isNew: false };
  if (!isReadyToGo(next)) return { object: store.put(bucket, targetKey(target), next), isNew: false };
  return { object: store.remove(bucket, targetKey(target), next) ?? next, isNew: false };
};

export const createObject = (
  deps: ApiDeps,
  target: Target,
  input: { readonly body: unknown; readonly context: WriteContext },
): Written => {
  const { context } = input;
  const decoded = decodeObject(input.body, target);
  checkNamespace(deps, { ...target, name: decoded.metadata.name ?? '' });
  const object = prepareCreate(deps, target, { object: decoded, context });
  const isOwned = deps.recordsManagers ?? true;
  const owned = isOwned ? recordUpdate(undefined, object, ownership(deps, target, context)) : object;
  return commitNew(deps, target, owned, context.dryRun);
};

/** Refuses an update that is based on another object of the same name, or on an older version. */
const checkPreconditions = (
  object: AnyObject,
  before: AnyObject,
  target: Target,
  { isPatch = false }: { readonly isPatch?: boolean } = {},
): void => {
  const { uid, resourceVersion } = object.metadata;
  const { definition, name = '' } = target;
  if (uid && uid !== before.metadata.uid && !isPatch)
    throw conflict(
      definition,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`,
    );
  if (resourceVersion && resourceVersion !== before.metadata.resourceVersion) throw staleVersion(definition, name);
  if (!resourceVersion && definition.strategy.needsResourceVersion)
    throw invalid(definition, name, [invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')]);
  // The UID in a patch is no precondition: it is a field that must not change.
  if (uid && uid !== before.metadata.uid)
    throw invalid(definition, name, [invalidValue('metadata.uid', uid, 'field is immutable')]);
};

const commitUpdate = (
  deps: ApiDeps,
  target: Target,
  input: {
    readonly object: AnyObject;
    readonly before: AnyObject;
    readonly context: WriteContext;
    readonly isPatch?: boolean;
  },
): Written => {
  checkPreconditions(input.object, input.before, target, input);
  const prepared = prepareUpdate(deps, target, input);
  const next = recordUpdate(input.before, prepared, ownership(deps, target, input.context));
  return commitNext(deps, target, { before: input.before, next }, input.context.dryRun);
};

export const updateObject = (
  deps: ApiDeps,
  target: Target,
  input: { readonly body: unknown; readonly context: WriteContext },
): Written => {
  const { definition, subresource } = target;
  const found = deps.store.get(definition.bucket, targetKey(target));
  if (!found && definition.strategy.createsOnUpdate && subresource === '') return createObject(deps, target, input);
  const before = inVersion(found ?? existing(deps, target), target);
  return commitUpdate(deps, target, { object: decodeObject(input.body, target), before, context: input.context });
};

const patched = (before: AnyObject, patch: PatchBody, target: Target): unknown => {
  if (patch.type === patchTypes.json) return jsonPatch(before, patch.body);
  if (patch.type === patchTypes.merge) return mergePatch(before, patch.body);
  return strategicPatch(before, patch.body, target.version.mergeType);
};

/** Strategic patches need Go types: custom resources have none. */
const checkPatchType = (type: string, { definition }: Target): void => {
  const { strategic, ...others } = patchTypes;
  const accepted: readonly string[] = [...Object.values(others), ...(definition.isCustom ? [] : [strategic])];
  if (!accepted.includes(type)) throw unsupportedMediaType(type, accepted);
};

export const patchObject = (
  deps: ApiDeps,
  target: Target,
  input: { readonly patch: PatchBody; readonly context: WriteContext },
): Written => {
  const { patch, context } = input;
  checkPatchType(patch.type, target);
  if (patch.type === patchTypes.apply) return applyObject(deps, target, input);
  const before = inVersion(existing(deps, target), target);
  const object = decodeObject(patched(before, patch, target), target);
  return commitUpdate(deps, target, { object, before, context, isPatch: true });
};

const applyObject = (
  deps: ApiDeps,
  target: Target,
  input: { readonly patch: PatchBody; readonly context: WriteContext },
): Written => {
  const { patch, context } = input;
  if (context.fieldManager === '')
    throw badRequest(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  if (!isObject(patch.body) || stringOf(patch.body['apiVersion']) === '' || stringOf(patch.body['kind']) === '')
    throw badRequest('the applied configuration must be an object with apiVersion and kind');
  const configuration = decodeObject(patch.body, target);
  checkDeclared(configuration, target);
  if (configuration.metadata.managedFields) throw badRequest('metadata.managedFields must be nil');
  const found = deps.store.get(target.definition.bucket, targetKey(target));
  const isCreatable = target.subresource === '' || target.definition.strategy.createsOnUpdate;
  if (!found && !isCreatable) throw notFound(target.definition, target.name ?? '');
  const change = { ...ownership(deps, target, context), force: patch.force };
  if (!found) {
    checkNamespace(deps, target);
    const { merged, finish } = applyConfiguration(undefined, configuration, change);
    return commitNew(deps, target, finish(prepareCreate(deps, target, { object: merged, context })), context.dryRun);
  }
  const before = inVersion(found, target);
  const { uid, resourceVersion } = configuration.metadata;
  const named = {
    ...before,
    metadata: { ...before.metadata, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
  };
  checkPreconditions(named, before, target);
  const { merged, finish } = applyConfiguration(before, configuration, change);
  const next = finish(prepareUpdate(deps, target, { object: merged, before, context }));
  return commitNext(deps, target, { before, next }, context.dryRun);
};
