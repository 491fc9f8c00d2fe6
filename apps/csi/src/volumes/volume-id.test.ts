import { describe, expect, it } from 'vitest';
import { cnsNameOf, parseVolumeId } from './volume-id.ts';

const id = '3c8c5e39-0d4d-4a6a-8f2d-1c9a6a4b9f01';

describe('parseVolumeId', () => {
  it.each([
    ['a disk id', id, 'block'],
    ['a file share', `file:${id}`, 'file'],
    ['a path of the in-tree provider', '[vsanDatastore] kubevols/pvc-1.vmdk', 'vmdk'],
  ])('knows %s', (_name, text, kind) => {
    expect(parseVolumeId(text)).toEqual({ kind, id: text });
  });

  it.each([[''], ['fake-vol-id'], [`file:${id}x`], ['[ds] path.iso'], [id.slice(1)]])('refuses "%s"', (text) => {
    expect(parseVolumeId(text)).toBeUndefined();
  });
});

describe('cnsNameOf', () => {
  it('keeps a name that fits', () => {
    expect(cnsNameOf(`pvc-${id}`)).toBe(`pvc-${id}`);
  });

  it('shortens a long name to 80 characters, differently for different names', () => {
    const a = cnsNameOf(`${'x'.repeat(127)}a`);
    const b = cnsNameOf(`${'x'.repeat(127)}b`);
    expect(a).toHaveLength(80);
    expect(a).not.toBe(b);
    expect(cnsNameOf(`${'x'.repeat(127)}a`)).toBe(a);
  });
});
