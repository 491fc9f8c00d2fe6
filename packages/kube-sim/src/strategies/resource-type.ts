import type { AnyObject } from '@vdo/kube/types/object';
import type { FieldError, Named } from '../api-error.ts';
import type { MergeType } from '../apply/merge-type.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority?: number;
}

export interface JsonPathColumn extends Column {
  readonly jsonPath: string;
}

/** The paths of the scale subresource's numbers, with a leading dot. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface ResourceVersion {
  readonly name: string;
  readonly mergeType: MergeType;
  readonly hasStatus: boolean;
  readonly scale?: ScalePaths;
  /** Built-in kinds only: the fields besides apiVersion, kind and metadata. What lies below them is not checked. */
  readonly content?: readonly string[];
  /** Custom resources only. */
  readonly schema?: StructuralSchema;
  readonly columns?: readonly JsonPathColumn[];
  readonly deprecationWarning?: string;
}

/** Context of a strategy besides the object itself. */
export interface StrategyContext {
  /** RFC 3339, seconds. */
  readonly now: string;
  /** Uniform in [0, 1). */
  random(): number;
  /** The objects of a bucket (`group/plural`), e.g. to find a default. */
  list(bucket: string): readonly AnyObject[];
}

/** Special rules for writes of a kind. Everything is optional except the generation. */
export interface Strategy {
  /** Whether metadata.generation counts changes outside metadata and status. */
  readonly hasGeneration: boolean;
  /** Nodes may be created with a status; other kinds start without one. */
  readonly keepsStatusOnCreate?: boolean;
  /** Whether an update must name the resourceVersion it is based on. */
  readonly needsResourceVersion?: boolean;
  /** Whether a PUT to a missing name creates it. */
  readonly createsOnUpdate?: boolean;
  /** A DNS subdomain by default. */
  readonly nameRule?: 'subdomain' | 'label' | 'path-segment';
  /** Fills in defaults at every write. */
  defaults?(object: AnyObject): AnyObject;
  onCreate?(object: AnyObject, context: StrategyContext): AnyObject;
  onUpdate?(object: AnyObject, before: AnyObject, context: StrategyContext): AnyObject;
  validate?(object: AnyObject, before: AnyObject | undefined): readonly FieldError[];
  /** Grace period of a deleted object in seconds; 0 by default. */
  deletionGraceSeconds?(object: AnyObject, requested: number | undefined): number;
  /** Finalizers that a deletion adds by itself. */
  finalizersOnDelete?(object: AnyObject): readonly string[];
}

/** One API resource: built in, or made from a CustomResourceDefinition. */
export interface ResourceType extends Named {
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Served versions, preferred first. */
  readonly versions: readonly ResourceVersion[];
  /** The store's bucket: `group/plural`. */
  readonly bucket: string;
  /** Besides status and scale. */
  readonly subresources: readonly string[];
  /** Besides metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[];
  readonly strategy: Strategy;
  readonly isCustom: boolean;
  /** Review kinds are answered and never stored. */
  readonly isReview: boolean;
}

export const bucketOf = (group: string, plural: string): string => `${group}/${plural}`;

/** Every verb of a stored resource, as discovery lists them. */
export const storedVerbs: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];
