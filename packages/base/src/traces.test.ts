import { expect, it } from 'vitest';
import { createSpan, sharedOperationId } from './traces.ts';

const one = '11111111-0000-4000-8000-000000000001';
const other = '11111111-0000-4000-8000-000000000002';

it('a call for several spans has the ID of the first, and each span knows it', () => {
  const spans = [createSpan(one), createSpan(other)];
  expect(sharedOperationId(spans)).toBe(`vdo-${one}+1`);
  expect(spans.map(({ shared }) => [...shared])).toEqual([[`vdo-${one}+1`], [`vdo-${one}+1`]]);
});

it('a call for one span has its own ID, and a call for none has no ID', () => {
  const span = createSpan(one);
  expect(sharedOperationId([span])).toBe(`vdo-${one}`);
  expect(span.shared.size).toBe(0);
  expect(sharedOperationId([])).toBeUndefined();
});
