import { describe, expect, it } from 'vitest';
import { formatQuantity, parseQuantity } from './quantity.ts';

describe('parseQuantity', () => {
  it.each([
    ['0', 0n],
    ['1', 1n],
    ['10Gi', 10n * 1024n ** 3n],
    ['1.5Gi', 1536n * 1024n ** 2n],
    ['.5Ki', 512n],
    ['5.', 5n],
    ['100M', 100_000_000n],
    ['2e9', 2_000_000_000n],
    ['1E3', 1000n],
    ['3E', 3n * 10n ** 18n],
    ['1500m', 2n],
    ['1n', 1n],
    ['1e-3', 1n],
    ['-1Gi', -(1024n ** 3n)],
    ['8Ei', 8n * 1024n ** 6n],
  ])('reads %s', (text, bytes) => {
    expect(parseQuantity(text)).toBe(bytes);
  });

  it.each([[''], ['Gi'], ['10GB'], ['1,5Gi'], ['ten'], ['1 Gi'], ['.']])('refuses "%s"', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });
});

describe('formatQuantity', () => {
  it.each([
    [0n, '0'],
    [7n, '7'],
    [10n * 1024n ** 3n, '10Gi'],
    [1025n * 1024n ** 2n, '1025Mi'],
    [1024n ** 5n * 3n, '3Pi'],
  ])('writes %s as %s', (bytes, text) => {
    expect(formatQuantity(bytes)).toBe(text);
  });
});
