import { describe, expect, test } from 'vitest';
import { parseProviderId, providerIdOf } from './provider-id.ts';

const uuid = '423740e7-c66e-05e3-9d0b-9e1205b24d43';

describe('parseProviderId', () => {
  test.each([
    ['nothing', undefined, { kind: 'none' }],
    ['an empty text', '', { kind: 'none' }],
    ['what this program writes', providerIdOf(uuid), { kind: 'vsphere', uuid }],
    ['upper case', `vsphere://${uuid.toUpperCase()}`, { kind: 'vsphere', uuid }],
    ['a bare UUID', uuid, { kind: 'vsphere', uuid }],
    ['blanks around it', ` vsphere:// ${uuid} `, { kind: 'vsphere', uuid }],
    ['k3s', 'k3s://node-1', { kind: 'foreign', providerId: 'k3s://node-1' }],
    ['rke2', 'rke2://node-1', { kind: 'foreign', providerId: 'rke2://node-1' }],
    ['another cloud', 'aws:///eu-1a/i-0abc', { kind: 'foreign', providerId: 'aws:///eu-1a/i-0abc' }],
    ['vsphere:// without a UUID', 'vsphere://vm-42', { kind: 'foreign', providerId: 'vsphere://vm-42' }],
  ])('reads %s', (_name, text, expected) => {
    expect(parseProviderId(text)).toEqual(expected);
  });
});

test('providerIdOf is lower case', () => {
  expect(providerIdOf(uuid.toUpperCase())).toBe(`vsphere://${uuid}`);
});
