import type { Resource } from './types/resource.ts';

/** The collection, object or subresource of a request. */
export interface Target {
  readonly resource: Resource;
  readonly namespace?: string | undefined;
  /** Absent for the collection. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** A request as RBAC sees it: get, list, watch, create, update, patch, delete or deletecollection of a target. */
export interface VerbTarget extends Target {
  readonly verb: string;
}

export type QueryValue = string | number | boolean | undefined;

/** The root path of a group and version: `/api/v1`, `/apis/apps/v1`. */
export const groupVersionPath = (group: string, version: string): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** The path of a target, from the server's root. Names are escaped. */
export const targetPath = (target: Target): string => {
  const { resource, namespace, name, subresource } = target;
  const scope = resource.namespaced && namespace ? ['namespaces', namespace] : [];
  const segments = [...scope, resource.plural, name, subresource].filter((segment) => segment !== undefined);
  return `${groupVersionPath(resource.group, resource.version)}/${segments.map(escapeSegments).join('/')}`;
};

/** `?a=1&b=2`, or nothing. Undefined and empty values are left out. */
export const queryString = (query: Readonly<Record<string, QueryValue>>): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  if (given.length === 0) return '';
  const text = new URLSearchParams(given).toString();
  return `?${text}`;
};

/** `deployments.apps "web" in namespace "shop"`: how messages describe a target. */
export const describeTarget = (target: Target): string => {
  const { resource, namespace, name, subresource } = target;
  const group = resource.group === '' ? '' : `.${resource.group}`;
  const kind = `${resource.plural}${group}${subresource ? `/${subresource}` : ''}`;
  const object = name === undefined ? '' : ` "${name}"`;
  return `${kind}${object}${resource.namespaced && namespace ? ` in namespace "${namespace}"` : ''}`;
};

// A subresource may have several segments (`proxy/metrics`): its slashes are kept.
const escapeSegments = (text: string): string =>
  plain.test(text) ? text : text.split('/').map(encodeURIComponent).join('/');
/** Names of Kubernetes objects contain nothing that needs escaping. */
const plain = /^[a-z0-9.-]*$/;
