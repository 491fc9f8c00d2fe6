import { describe, expect, test } from 'vitest';
import { node } from '../testing/node.ts';
import { enforceProvidedIps } from './provided-node-ip.ts';

const withNodeIp = (value: string) => node({ annotations: { 'alpha.kubernetes.io/provided-node-ip': value } });
const hostname = { type: 'Hostname', address: 'node-1' } as const;
const internal = (address: string) => ({ type: 'InternalIP', address }) as const;
const external = (address: string) => ({ type: 'ExternalIP', address }) as const;
const vm = { vmName: 'vm-a' };

describe('enforceProvidedIps', () => {
  test('changes nothing without --node-ip', () => {
    const addresses = [hostname, internal('10.0.0.1'), external('10.0.0.1')];
    expect(enforceProvidedIps(node(), addresses, vm)).toEqual(addresses);
  });

  test('puts the address first and drops others of its type', () => {
    const addresses = [hostname, internal('10.0.0.1'), external('172.16.0.1'), internal('fd00::1')];
    expect(enforceProvidedIps(withNodeIp('10.0.0.1'), addresses, vm)).toEqual([
      internal('10.0.0.1'),
      hostname,
      external('172.16.0.1'),
    ]);
  });

  test('keeps both addresses of a dual-stack node, in the order given', () => {
    const addresses = [hostname, internal('10.0.0.1'), external('10.0.0.1'), internal('fd00::1'), external('fd00::1')];
    expect(enforceProvidedIps(withNodeIp('FD00:0::1, 10.0.0.1'), addresses, vm)).toEqual([
      internal('fd00::1'),
      external('fd00::1'),
      internal('10.0.0.1'),
      external('10.0.0.1'),
      hostname,
    ]);
  });

  test.each([['10.0.0.9'], ['10.0.0.1,fd00::9'], ['garbage']])(
    'refuses --node-ip=%s that the VM does not have',
    (value) => {
      expect(() => enforceProvidedIps(withNodeIp(value), [hostname, internal('10.0.0.1')], vm)).toThrow(
        expect.objectContaining({ code: 'NodeIpNotOnVm', message: expect.stringContaining('InternalIP 10.0.0.1') }),
      );
    },
  );
});
