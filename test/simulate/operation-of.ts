import type { HttpRequest } from '@vdo/base/http';
import { nameOf } from '../stories/troubles.ts';

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

const known = new Map<string, string>();

/** A request as the coverage table names it: `patch persistentvolumes`, `update leases`, or the SOAP method. */
export const operationOf = (request: HttpRequest): string => {
  const name = nameOf(request);
  const operation = known.get(name) ?? operationNamed(name);
  known.set(name, operation);
  return operation;
};

const operationNamed = (name: string): string => {
  const [method = '', path = ''] = name.split(' ');
  const parts = /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/]+(?=\/))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?/.exec(
    path,
  );
  if (!parts) return name;
  const [, resource = '', object, subresource] = parts;
  const reading = object === undefined ? 'list' : 'get';
  return `${verbs[method] ?? reading} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
};

/** The ids that a CNS request names. */
export const idsIn = ({ body }: HttpRequest): readonly string[] =>
  [...String(body ?? '').matchAll(/<(?:\w+:)?id(?:\s[^>]*)?>([^<]+)</g)].map(([, id = '']) => id);
