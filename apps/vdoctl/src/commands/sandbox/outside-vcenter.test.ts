import { describe, expect, it } from 'vitest';
import { nodeNameOf, parseVCenterUrl } from './outside-vcenter.ts';

describe('the address of a vCenter', () => {
  it.each([
    ['https://vc.example.com', 'vc.example.com', 443],
    ['https://vc.example.com:8443/sdk', 'vc.example.com', 8443],
    ['vc.example.com', 'vc.example.com', 443],
    ['10.0.0.1:8989', '10.0.0.1', 8989],
    ['https://[fd00::1]:443', 'fd00::1', 443],
  ])('%s is %s at port %i', (text, server, port) => {
    expect(parseVCenterUrl(text)).toEqual({ server, port });
  });

  it.each(['http://vc.example.com', 'https://', 'https://user:secret@vc.example.com', 'vc example'])(
    'is refused: %s',
    (text) => {
      expect(() => parseVCenterUrl(text)).toThrow(/is not a vCenter address/);
    },
  );
});

describe('the node of a VM', () => {
  it.each([
    [{ hostName: 'Node-1.Example.com', name: 'vm' }, 'node-1.example.com'],
    [{ hostName: undefined, name: 'DC0_C0_RP0_VM0' }, 'dc0-c0-rp0-vm0'],
    [{ hostName: '', name: '_web (old)_' }, 'web-old'],
    [{ hostName: undefined, name: `${'long-'.repeat(12)}name-that-ends` }, `${'long-'.repeat(12)}nam`],
  ])('of %o is %s', (vm, name) => {
    expect(nodeNameOf(vm)).toBe(name);
  });
});
