import { describe, expect, it } from 'vitest';
import { normalizeUuid, swapUuid, uuidVariants } from './uuid.ts';

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

  it('have two variants, or one if both orders read the same', () => {
    expect(uuidVariants(uuid)).toEqual([uuid, swapped]);
    expect(uuidVariants('11111111-2222-3333-4444-555555555555')).toHaveLength(1);
    expect(uuidVariants('not one')).toEqual([]);
  });
});
