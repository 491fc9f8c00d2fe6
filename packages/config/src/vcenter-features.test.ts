import { describe, expect, it } from 'vitest';
import {
  featureLack,
  lackOfAll,
  lacksOf,
  offersFeature,
  type VCenterFeatureId,
  vcenterFeatures,
} from './vcenter-features.ts';

const ids = Object.keys(vcenterFeatures) as readonly VCenterFeatureId[];
const offered = (version: string) => ids.filter((id) => !lacksOf(version).includes(id));

describe('features by version', () => {
  it('are only ever added', () => {
    const versions = [
      '6.7.3',
      '7.0.0',
      '7.0.1',
      '7.0.2',
      '7.0.3',
      '8.0.0',
      '8.0.1',
      '8.0.2',
      '8.0.3',
      '9.0.0',
      '9.1.0',
    ];
    const counts = versions.map((version) => offered(version).length);
    expect(counts).toEqual([2, 3, 4, 7, 8, 9, 10, 10, 10, 10, 10]);
  });

  it('report the required and the present version', () => {
    expect(featureLack('file-volumes', '6.7.3')).toBe('file volumes need vCenter 7.0 Update 1; this is 6.7 Update 3');
    expect(offersFeature('6.7.3', 'file-volumes')).toBe(false);
    expect(offersFeature('7.0.1.10000', 'file-volumes')).toBe(true);
  });

  it('are all assumed to exist if the version is unreadable, or is that of a simulator', () => {
    for (const version of ['', 'unknown', '6.5', '6.5.0']) expect(offered(version)).toEqual(ids);
  });

  it('are missing in a system only if no vCenter has them', () => {
    const old = { server: 'a', version: '6.7.3' };
    expect(lackOfAll('snapshots', [old, { server: 'b', version: '7.0.2' }])).toBe(
      'snapshots and copies of volumes need vCenter 7.0 Update 3; a is 6.7 Update 3, b is 7.0 Update 2',
    );
    expect(lackOfAll('snapshots', [old, { server: 'b', version: '8.0.3' }])).toBeUndefined();
    expect(lackOfAll('snapshots', [])).toBeUndefined();
  });
});
