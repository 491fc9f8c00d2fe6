import { expect, it } from 'vitest';
import { createOwnWrites } from './own-writes.ts';

const at = (resourceVersion: string) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', resourceVersion } });

it('calls a copy outdated until it is as new as what was written', () => {
  const writes = createOwnWrites();
  expect(writes.isOutdated('a', at('9'))).toBe(false);
  writes.note('a', at('10'));
  expect(writes.isOutdated('a', at('9'))).toBe(true);
  expect(writes.isOutdated('b', at('9'))).toBe(false);
  expect(writes.isOutdated('a', at('10'))).toBe(false);
  writes.note('c', at('10'));
  writes.forget('c');
  expect(writes.isOutdated('c', at('9'))).toBe(false);
  // What is known is forgotten then: an object of the same name may begin anew.
  expect(writes.isOutdated('a', at('3'))).toBe(false);
});

it('trusts copies whose version is no number', () => {
  const writes = createOwnWrites();
  writes.note('a', at('x'));
  expect(writes.isOutdated('a', at('9'))).toBe(false);
});
