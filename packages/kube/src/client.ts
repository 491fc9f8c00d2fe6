import type { LogOptions } from './log-options.ts';
import type { KubeList, KubeObject, WatchEvent } from './types/object.ts';
import type { ObjectKey, Resource } from './types/resource.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * Called right before each time the request is sent, so after a wait for the rate limit and before a retry. If it throws, nothing is sent and
   * the call ends with this error. Not called for watches, logs and deletions of collections.
   */
  readonly beforeSend?: () => void;
}

export interface GetOptions extends CallOptions {
  /** `scale`, `status`. */
  readonly subresource?: string;
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Page size; the client follows `continue`. Default 500; 0 reads everything in one page. */
  readonly limit?: number;
  readonly resourceVersion?: string;
}

export interface WatchOptions extends CallOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  /** Default true. */
  readonly bookmarks?: boolean;
  /** Time after which the server ends the watch. Default: the server decides, 30 to 60 minutes. */
  readonly timeoutSeconds?: number;
  /** A stream that is silent for this time counts as broken: KubeUnreachable. Default: never. Servers send a bookmark each minute. */
  readonly idleTimeoutMs?: number;
  /** The server has accepted the watch. */
  readonly onOpen?: () => void;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly subresource?: string;
}

export interface ApplyOptions extends CallOptions {
  readonly fieldManager: string;
  /** Take over fields of other managers. Default false: a conflict is an error that names the managers. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly subresource?: string;
}

export interface DeleteOptions extends CallOptions {
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  /** Delete only the object with this UID. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly dryRun?: boolean;
}

export interface PodReadOptions extends CallOptions {
  /** Default http. */
  readonly scheme?: 'http' | 'https';
  readonly port: number;
  /** Begins with a slash. */
  readonly path: string;
  /** For the pod; the API server itself uses the header Authorization. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type Patch =
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown }
  | {
      readonly type: 'json';
      readonly body: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[];
    };

/** Typed verbs on any resource. API errors arrive as VdoErrors `Kube*` that name verb, resource and object. */
export interface KubeClient {
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: GetOptions): Promise<T>;
  /** Undefined instead of KubeNotFound. */
  find<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: GetOptions): Promise<T | undefined>;
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<KubeList<T>>;
  /** The list page by page, for lists that need not be in memory at once. */
  pages<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): AsyncIterable<KubeList<T>>;
  /** With `subresource` (eviction, token) the object's name and namespace are those of the parent. */
  create<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  /** Optimistic: the object's resourceVersion must be current. */
  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Server-side apply. */
  apply<T extends KubeObject>(resource: Resource<T>, object: T, options: ApplyOptions): Promise<T>;
  /** False if the object was not there. */
  delete(resource: Resource, key: ObjectKey, options?: DeleteOptions): Promise<boolean>;
  deleteCollection(resource: Resource, options?: ListOptions): Promise<void>;
  /** Ends when the server ends it; throws what an `ERROR` event says (KubeGone), a broken stream or the abort reason. */
  watch<T extends KubeObject>(resource: Resource<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** The log of a pod's container, piece by piece. */
  readLog(key: ObjectKey, options?: LogOptions): AsyncIterable<string>;
  /** What a pod serves at a path, through the API server's proxy. */
  readFromPod(key: ObjectKey, options: PodReadOptions): Promise<string>;
  /** Server version, e.g. `v1.34.4`. */
  serverVersion(options?: CallOptions): Promise<string>;
  /** Finds the resource that serves a manifest's apiVersion and kind; VdoError KubeResourceMissing if none does. */
  resourceFor(apiVersion: string, kind: string, options?: CallOptions): Promise<Resource>;
  /** Every kind of object that lives in namespaces and can be listed, each in the version that the server prefers. */
  namespacedResources(options?: CallOptions): Promise<readonly Resource[]>;
  close(): Promise<void>;
}
