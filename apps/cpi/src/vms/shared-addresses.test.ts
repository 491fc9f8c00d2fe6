import { expect, test } from 'vitest';
import { createSharedAddresses } from './shared-addresses.ts';

test('an address of one node is its own', () => {
  const addresses = createSharedAddresses();
  expect(addresses.report('a', ['10.0.0.1', '10.0.0.100'])).toEqual([]);
  expect(addresses.report('b', ['10.0.0.2'])).toEqual([]);
  expect([...addresses.shared]).toEqual([]);
});

test('an address that wanders is shared, and the other node is told once', () => {
  const addresses = createSharedAddresses();
  addresses.report('a', ['10.0.0.1', '10.0.0.100']);
  addresses.report('a', ['10.0.0.1']);
  expect(addresses.report('b', ['10.0.0.2', '10.0.0.100'])).toEqual(['a']);
  expect(addresses.report('b', ['10.0.0.2', '10.0.0.100'])).toEqual([]);
  expect([...addresses.shared]).toEqual(['10.0.0.100']);
});

test('a deleted node leaves its addresses to others', () => {
  const addresses = createSharedAddresses();
  addresses.report('a', ['10.0.0.1']);
  addresses.report('b', ['10.0.0.1']);
  addresses.forget('a');
  expect([...addresses.shared]).toEqual([]);
});
