import { describe, expect, test } from 'vitest';
import { parseProviderId, providerIdOf } from './provider-id.ts';
import { uuidOrders } from './uuid-orders.ts';

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

describe('uuidOrders', () => {
  test.each([
    [
      'both orders',
      '56492e42-22ad-3911-6d72-59cc8f26bc90',
      ['56492e42-22ad-3911-6d72-59cc8f26bc90', '422e4956-ad22-1139-6d72-59cc8f26bc90'],
    ],
    [
      'lower case',
      '422E4956-AD22-1139-6D72-59CC8F26BC90',
      ['422e4956-ad22-1139-6d72-59cc8f26bc90', '56492e42-22ad-3911-6d72-59cc8f26bc90'],
    ],
    [
      'one entry for a symmetric UUID',
      '11111111-2222-3333-4444-555555555555',
      ['11111111-2222-3333-4444-555555555555'],
    ],
    ['other text as it is', 'not-a-uuid', ['not-a-uuid']],
    ['nothing for nothing', ' ', []],
  ])('gives %s', (_name, given, expected) => {
    expect(uuidOrders(given)).toEqual(expected);
  });

  test('swapping twice gives the UUID back', () => {
    const given = '42278c9d-79fb-f2af-b060-d7f167fa261c';
    expect(uuidOrders(uuidOrders(given)[1] ?? '')[1]).toBe(given);
  });
});
