import { describe, expect, it } from 'vitest';
import { readPath, writePath } from './property-path.ts';

const vm = {
  name: 'node-1',
  config: {
    hardware: {
      device: [
        { key: 1000, label: 'SCSI' },
        { key: 2000, backing: { fileName: 'a.vmdk' } },
      ],
    },
    extraConfig: [{ key: 'guestinfo.metadata', value: 'x' }],
  },
  created: new Date(0),
};

describe('readPath', () => {
  it.each([
    ['a property of the object', 'name', 'node-1'],
    ['a nested property', 'config.hardware', vm.config.hardware],
    ['an element by its numeric key', 'config.hardware.device[2000].backing.fileName', 'a.vmdk'],
    ['an element by a quoted key with a dot in it', 'config.extraConfig["guestinfo.metadata"].value', 'x'],
    ['nothing for an element that does not exist', 'config.hardware.device[1]', undefined],
    ['nothing below an unset property', 'guest.net.mac', undefined],
    ['nothing below a scalar', 'name.length', undefined],
    ['nothing below a date', 'created.getTime', undefined],
    ['nothing for a malformed path', 'config..hardware', undefined],
    ['nothing for the empty path', '', undefined],
  ])('finds %s', (_name, path, expected) => {
    expect(readPath(vm, path)).toEqual(expected);
  });
});

describe('writePath', () => {
  it('replaces a nested value and shares the unchanged parts', () => {
    const written = writePath(vm, 'config.hardware.numCPU', 4);
    expect(readPath(written, 'config.hardware.numCPU')).toBe(4);
    expect(readPath(vm, 'config.hardware.numCPU')).toBeUndefined();
    expect(readPath(written, 'config.extraConfig')).toBe(vm.config.extraConfig);
  });

  it('creates missing parents of a value', () => {
    expect(writePath({}, 'runtime.host.name', 'h')).toEqual({ runtime: { host: { name: 'h' } } });
  });

  it('returns the same tree when nothing changes', () => {
    expect(writePath(vm, 'name', 'node-1')).toBe(vm);
    expect(writePath(vm, 'config.hardware', vm.config.hardware)).toBe(vm);
  });

  it('removes a value with undefined', () => {
    expect(Object.keys(writePath({ a: 1, b: 2 }, 'a', undefined))).toEqual(['b']);
  });
});
