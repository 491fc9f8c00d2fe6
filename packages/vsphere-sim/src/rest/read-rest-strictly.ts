import { RestError } from './rest-error.ts';
import { type Fields, type RestRequestFacts, restRequests, type Shape } from './rest-requests.ts';

/*
 * Reads a REST request by the list of those that are known to be served, and by nothing that the client shares. That properties
 * which are unknown, missing or of another type are refused with 400 is assumed from how vCenter treats those that are missing.
 */

const refuse = (message: string): never => {
  throw new RestError('invalid_argument', message);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const dynamicId: Fields = { type: 'string', id: 'string' };

const checkValue = (where: string, value: unknown, shape: Shape): void => {
  if (typeof shape === 'object') {
    if (!isList(shape)) checkFields(where, value, shape);
    else if (!shape.some((one) => one === value)) refuse(`${where} is none of ${shape.join(', ')}`);
    return;
  }
  if (shape.endsWith('[]')) {
    if (!Array.isArray(value)) refuse(`${where} is no list`);
    const item = shape.slice(0, -2) as 'string' | 'id';
    for (const [at, one] of (value as readonly unknown[]).entries()) checkValue(`${where}[${at}]`, one, item);
  } else if (shape === 'id') checkFields(where, value, dynamicId);
  else if (typeof value !== 'string') refuse(`${where} is no string`);
};

const isList = (shape: Fields | readonly string[]): shape is readonly string[] => Array.isArray(shape);

const checkFields = (where: string, value: unknown, fields: Fields): void => {
  const given = isObject(value) ? value : refuse(`${where} is no structure`);
  const left = new Set(Object.keys(given));
  for (const [key, shape] of Object.entries(fields)) {
    const name = key.replace(/\?$/, '');
    left.delete(name);
    if (given[name] !== undefined) checkValue(`${where}.${name}`, given[name], shape);
    else if (name === key) refuse(`${where}.${name} is missing`);
  }
  for (const name of left) refuse(`${where}.${name} is unexpected`);
};

export interface RestRoute {
  readonly method: string;
  /** `category`, `tag/id`. */
  readonly resource: string;
  readonly action: string | undefined;
}

/** Throws what a vCenter answers to a request that it does not serve, or that is not what it must be. */
export const readRestStrictly = (
  { method, resource, action }: RestRoute,
  body: Readonly<Record<string, unknown>>,
): RestRequestFacts => {
  const facts = restRequests.find((one) => one.method === method && one.resource === resource && one.action === action);
  if (!facts) throw new RestError('not_found', `no ${method} of ${resource}${action ? `?~action=${action}` : ''}`);
  checkFields('the body', body, facts.body ?? {});
  return facts;
};
