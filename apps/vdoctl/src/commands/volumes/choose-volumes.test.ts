import { describe, expect, it } from 'vitest';
import { chooseVolumes } from './choose-volumes.ts';
import type { VolumeRow } from './rows.ts';

const row = (persistentVolume: string | null, claim: string | null, handle: string): VolumeRow => ({
  persistentVolume,
  claim,
  handle,
  state: 'ok',
  capacityGb: 1,
  datastore: null,
  datastoreName: null,
  vcenter: null,
  attachedTo: [],
});
const all = [row('pv-1', 'shop/data-0', 'id-1'), row('pv-2', 'blog/data-0', 'id-2'), row(null, null, 'id-3')];
const chosen = (...names: readonly string[]) => chooseVolumes(all, names).map(({ handle }) => handle);

describe('volumes by name', () => {
  it('are those of a PersistentVolume, a claim or an id, and all without a name', () => {
    expect(chosen()).toEqual(['id-1', 'id-2', 'id-3']);
    expect(chosen('pv-2')).toEqual(['id-2']);
    expect(chosen('shop/data-0', 'id-3')).toEqual(['id-1', 'id-3']);
    expect(chosen('data-0')).toEqual(['id-1', 'id-2']);
  });

  it('that are not there are an error with a suggestion', () => {
    expect(() => chosen('pv-1', 'shop/dta-0')).toThrow(
      expect.objectContaining({ code: 'KubeNotFound', remedy: expect.stringContaining('Did you mean shop/data-0?') }),
    );
  });
});
