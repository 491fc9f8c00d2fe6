import { describe, expect, it } from 'vitest';
import { canonicalUuid, normalizeUuid, sameUuid, swapUuid, uuidOrders } from './uuid.ts';

const uuid = '00112233-4455-6677-8899-aabbccddeeff';
const swapped = '33221100-5544-7766-8899-aabbccddeeff';

describe('UUIDs', () => {
  it.each([
    ['00112233-4455-6677-8899-AABBCCDDEEFF', uuid],
    ['00 11 22 33 44 55 66 77-88 99 aa bb cc dd ee ff', uuid],
    ['00112233445566778899aabbccddeeff', uuid],
    ['not one', undefined],
    ['', undefined],
  ])('%j is %s', (text, expected) => {
    expect(normalizeUuid(text)).toBe(expected);
  });

  it('swap the first three groups, and back', () => {
    expect(swapUuid(uuid)).toBe(swapped);
    expect(swapUuid(swapped)).toBe(uuid);
  });

  it('have two orders, or one if both are equal; other text has none', () => {
    expect(uuidOrders(uuid)).toEqual([uuid, swapped]);
    expect(uuidOrders('422E4956-AD22-1139-6D72-59CC8F26BC90')).toEqual([
      '422e4956-ad22-1139-6d72-59cc8f26bc90',
      '56492e42-22ad-3911-6d72-59cc8f26bc90',
    ]);
    expect(uuidOrders('11111111-2222-3333-4444-555555555555')).toHaveLength(1);
    expect(uuidOrders('not one')).toEqual([]);
  });

  it('identify the same machine in either order and any notation', () => {
    expect(sameUuid(uuid, uuid)).toBe(true);
    expect(sameUuid(uuid, swapped.toUpperCase())).toBe(true);
    expect(sameUuid('VMware-00 11 22 33 44 55 66 77-88 99 aa bb cc dd ee ff'.slice(7), swapped)).toBe(true);
    expect(sameUuid(uuid, '00112233-4455-6677-8899-aabbccddee00')).toBe(false);
    expect(sameUuid('', '')).toBe(false);
    expect(sameUuid('not one', 'not one')).toBe(false);
  });

  it('have one canonical text for both orders', () => {
    expect(canonicalUuid(swapped)).toBe(canonicalUuid(uuid));
    expect(canonicalUuid('not one')).toBe('');
  });
});
