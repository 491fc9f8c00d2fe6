import { ApiError, badRequest } from '../api-error.ts';
import { deepEqual, isObject } from '../json.ts';

const failed = (message: string): ApiError =>
  new ApiError(422, 'Invalid', `the server rejected our request due to an error in our request: ${message}`, {});

const parsePointer = (pointer: unknown): readonly string[] => {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/')))
    throw badRequest(`JSON patch: ${JSON.stringify(pointer)} is not a JSON pointer`);
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
};

const indexIn = (list: readonly unknown[], token: string, end: number): number => {
  const index = token === '-' ? list.length : Number(token);
  if (!Number.isInteger(index) || index < 0 || index > end) throw failed(`index ${token} is out of range`);
  return index;
};

const read = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((current, token) => {
    if (Array.isArray(current)) return current[indexIn(current, token, current.length - 1)];
    if (isObject(current) && token in current) return current[token];
    throw failed(`the path ${JSON.stringify(path.join('/'))} does not exist`);
  }, value);

/** Rebuilds the containers along a path, with `change` applied to the last one. */
const rebuild = (
  value: unknown,
  path: readonly string[],
  change: (container: unknown, token: string) => unknown,
): unknown => {
  const [token, ...rest] = path;
  if (token === undefined) throw failed('the whole document cannot be changed this way');
  if (rest.length === 0) return change(value, token);
  const child = rebuild(read(value, [token]), rest, change);
  if (Array.isArray(value)) return value.map((item, index) => (index === Number(token) ? child : item));
  return { ...(isObject(value) ? value : {}), [token]: child };
};

const put = (value: unknown, path: readonly string[], next: unknown, mustExist: boolean): unknown => {
  if (path.length === 0) return next;
  return rebuild(value, path, (container, token) => {
    if (Array.isArray(container)) {
      const index = indexIn(container, token, mustExist ? container.length - 1 : container.length);
      return container.toSpliced(index, mustExist ? 1 : 0, next);
    }
    if (!isObject(container) || (mustExist && !(token in container)))
      throw failed(`${JSON.stringify(token)} does not exist`);
    return { ...container, [token]: next };
  });
};

const remove = (value: unknown, path: readonly string[]): unknown =>
  rebuild(value, path, (container, token) => {
    if (Array.isArray(container)) return container.toSpliced(indexIn(container, token, container.length - 1), 1);
    if (!isObject(container) || !(token in container)) throw failed(`${JSON.stringify(token)} does not exist`);
    return Object.fromEntries(Object.entries(container).filter(([name]) => name !== token));
  });

const step = (document: unknown, operation: unknown): unknown => {
  if (!isObject(operation)) throw badRequest('JSON patch: every operation must be an object');
  const path = parsePointer(operation['path']);
  const { value } = operation;
  switch (operation['op']) {
    case 'add':
      return put(document, path, value, false);
    case 'replace':
      return put(document, path, value, true);
    case 'remove':
      return remove(document, path);
    case 'test':
      if (!deepEqual(read(document, path), value))
        throw failed(`the test of ${JSON.stringify(operation['path'])} failed`);
      return document;
    case 'copy':
      return put(document, path, read(document, parsePointer(operation['from'])), false);
    case 'move': {
      const from = parsePointer(operation['from']);
      return put(remove(document, from), path, read(document, from), false);
    }
    default:
      throw badRequest(`JSON patch: unknown operation ${JSON.stringify(operation['op'])}`);
  }
};

/** RFC 6902. All operations or none. */
export const jsonPatch = (document: unknown, operations: unknown): unknown => {
  if (!Array.isArray(operations)) throw badRequest('JSON patch: the body must be a list of operations');
  return operations.reduce<unknown>(step, document);
};
