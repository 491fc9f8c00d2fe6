import { VdoError } from '@vdo/base/vdo-error';
import type { NodeResolution } from '@vdo/vsphere/inventory/node-inventory';
import { describe, expect, test } from 'vitest';
import { vmFacts } from '../testing/vm-facts.ts';
import { combineResolutions, type VCenterAnswer } from './combine-resolutions.ts';

const query = { key: 'node-1', uuid: '56492e42-22ad-3911-6d72-59cc8f26bc90', names: ['node-1', 'node-1.example.com'] };
const answer = (server: string, resolution: NodeResolution): VCenterAnswer => ({
  server,
  datacenters: server === 'a' ? [] : ['DC0', '/folder/DC1'],
  resolution,
});
const found = (server: string) => answer(server, { state: 'found', vm: vmFacts({ server, name: `vm-${server}` }) });
const nothing = (server: string) => answer(server, { state: 'not-found', searched: '' });
const down = (server: string): VCenterAnswer => ({
  server,
  error: new VdoError({ code: 'VCenterUnreachable', message: `${server} is down`, remedy: 'Wait.' }),
});

describe('combineResolutions', () => {
  test.each([
    ['the only vCenter has it', [found('a')]],
    ['one of several has it', [nothing('b'), found('a')]],
    ['one has it and another does not answer', [down('b'), found('a')]],
  ])('gives the VM when %s', (_name, answers) => {
    expect(combineResolutions(query, answers).name).toBe('vm-a');
  });

  test('says by which UUID was searched when every vCenter answered that it has none', () => {
    expect(() => combineResolutions(query, [nothing('a'), nothing('b')])).toThrow(
      expect.objectContaining({
        code: 'NodeVmNotFound',
        message:
          'no VM found for node node-1 by UUID 56492e42-22ad-3911-6d72-59cc8f26bc90 or 422e4956-ad22-1139-6d72-59cc8f26bc90; ' +
          'searched a (all datacenters); b (DC0, /folder/DC1)',
      }),
    );
  });

  test('says by which names was searched for a node that reports no UUID', () => {
    const { uuid: _, ...nameless } = query;
    expect(() => combineResolutions(nameless, [nothing('a')])).toThrow(
      /for node node-1 by host name node-1 or node-1\.example\.com; searched a/,
    );
  });

  test('never says not found while a vCenter is silent', () => {
    expect(() => combineResolutions(query, [nothing('a'), down('b')])).toThrow(
      expect.objectContaining({ code: 'VCenterUnreachable', message: 'b is down' }),
    );
  });

  test.each<[string, readonly VCenterAnswer[], string]>([
    [
      'one vCenter has several',
      [answer('a', { state: 'ambiguous', by: 'UUID', candidates: ['vm-1', 'vm-2'] }), nothing('b')],
      'by UUID: vm-1 on a, vm-2 on a',
    ],
    ['two vCenters have one each', [found('a'), found('b')], 'vm-a on a, vm-b on b'],
  ])('refuses to guess when %s', (_name, answers, message) => {
    expect(() => combineResolutions(query, answers)).toThrow(
      expect.objectContaining({ code: 'NodeVmAmbiguous', message: expect.stringContaining(message) }),
    );
  });
});
