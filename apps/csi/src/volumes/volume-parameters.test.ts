import { describe, expect, it } from 'vitest';
import { readVolumeParameters } from './volume-parameters.ts';

describe('readVolumeParameters', () => {
  it('reads keys in any case', () => {
    expect(
      readVolumeParameters({
        StoragePolicyName: 'gold',
        DATASTOREURL: 'ds:///vmfs/volumes/1/',
        'csi.storage.k8s.io/fsType': 'xfs',
      }),
    ).toEqual({ storagePolicyName: 'gold', datastoreUrl: 'ds:///vmfs/volumes/1/', fsType: 'xfs' });
  });

  it('takes the claim from the metadata a provisioner adds', () => {
    expect(
      readVolumeParameters({
        'csi.storage.k8s.io/pvc/name': 'data',
        'csi.storage.k8s.io/pvc/namespace': 'shop',
        'csi.storage.k8s.io/pv/name': 'pvc-1',
      }),
    ).toEqual({ claim: { name: 'data', namespace: 'shop' } });
  });

  it.each([
    ['an unknown key', { color: 'red' }, 'storagepolicyname, datastoreurl'],
    ['an in-tree setting with advice', { diskformat: 'thin' }, 'container volumes are thin'],
    ['the in-tree datastore name with advice', { datastore: 'ds1' }, 'datastoreurl'],
    ['an empty value', { storagepolicyname: ' ' }, 'Set storagepolicyname to a value'],
    ['a datastore name where a URL belongs', { datastoreurl: 'vsanDatastore' }, 'ds:///vmfs/volumes'],
    ['the same key twice', { storagepolicyname: 'a', StoragePolicyName: 'b' }, 'Remove one'],
  ])('refuses %s', (_name, parameters, remedy) => {
    expect(() => readVolumeParameters(parameters)).toThrow(
      expect.objectContaining({ code: 'VolumeParametersInvalid', remedy: expect.stringContaining(remedy) }),
    );
  });
});
