import { describe, expect, it } from 'vitest';
import { upgradePath } from './upgrade-path.ts';

const ids = (version: string, hasVolumes = true, hasDriver = false) =>
  upgradePath(version, { hasVolumes, hasDriver }).map(({ id }) => id);

describe('what comes before a cluster is new enough', () => {
  it.each([
    ['v1.28.0', []],
    ['v1.29.4', []],
    ['v1.34.1', []],
    ['v1.27.3', ['storage-driver', 'kubernetes-1.28']],
    ['v1.24.1', ['kubernetes-1.25', 'storage-driver', 'kubernetes-1.26', 'kubernetes-1.27', 'kubernetes-1.28']],
    ['v1.25.0', ['storage-driver', 'kubernetes-1.26', 'kubernetes-1.27', 'kubernetes-1.28']],
  ])('%s', (version, expected) => {
    expect(ids(version)).toEqual(expected);
  });

  it('needs no storage driver where there are no volumes, or where there is one', () => {
    expect(ids('v1.27.3', false)).toEqual(['kubernetes-1.28']);
    expect(ids('v1.25.0', true, true)).toEqual(['kubernetes-1.26', 'kubernetes-1.27', 'kubernetes-1.28']);
  });
});
