import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  const keys = ['server', 'port', 'insecureFlag', 'datacenters', 'thumbprint', 'secretName', 'secretNamespace'];
  const cases: readonly [string, string | undefined][] = [
    ['sever', 'server'],
    ['prot', 'port'],
    ['insecure_flag', 'insecureFlag'],
    ['INSECUREFLAG', 'insecureFlag'],
    ['datacenter', 'datacenters'],
    ['secret-name', 'secretName'],
    ['somethingElse', undefined],
    ['x', undefined],
  ];
  it.each(cases)('%s means %s', (word, meant) => {
    expect(nearest(word, keys)).toBe(meant);
  });
});
