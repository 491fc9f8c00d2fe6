import { describe, expect, it } from 'vitest';
import { parseNumbers } from './asker.ts';
import { draftSpec } from './draft.ts';
import { setPath } from './set-path.ts';

describe('--set', () => {
  it.each([
    ['csi.replicas=2', { csi: { replicas: 2 } }],
    ['spec.csi.replicas=2', { csi: { replicas: 2 } }],
    ['vcenters[0].datacenters[1]=/b=c', { vcenters: [{ datacenters: [undefined, '/b=c'] }] }],
    ['csi.fileVolumes={}', { csi: { fileVolumes: {} } }],
    ['keep=null', {}],
  ])('%s', (assignment, expected) => {
    expect(setPath({ keep: 1 } as Record<string, unknown>, assignment)).toEqual(
      assignment.startsWith('keep') ? expected : { keep: 1, ...expected },
    );
  });

  it.each(['csi.replicas', '=2', 'csi..x=1', 'a={'])('refuses %s', (assignment) => {
    expect(() => setPath({}, assignment)).toThrow(/--set/);
  });
});

describe('numbers of a list', () => {
  it.each([
    ['', 3, []],
    ['1, 3', 3, [0, 2]],
    ['2 2', 3, [1]],
    ['4', 3, undefined],
    ['x', 3, undefined],
  ])('%j of %i', (text, count, expected) => expect(parseNumbers(text, count)).toEqual(expected));
});

describe('the draft', () => {
  const answers = {
    server: 'vc2.example',
    port: 443,
    insecure: false,
    datacenters: [],
    fileVolumes: false,
    cpi: true,
    csi: true,
  };
  const vc1 = { server: 'vc1.example', credentialsSecret: 'one', datacenters: ['/a'] };

  it('has both drivers if it is new, and the Secret vcenter', () => {
    expect(draftSpec({}, { ...answers, distribution: 'Native', thumbprint: 'AA' })).toEqual({
      distribution: 'Native',
      vcenters: [{ server: 'vc2.example', credentialsSecret: 'vcenter', tls: { thumbprints: ['AA'] } }],
      cpi: {},
      csi: {},
    });
  });

  it('keeps other vCenters, and goes without a driver that was left out', () => {
    const drafted = draftSpec({ distribution: 'Upstream', vcenters: [vc1], csi: { replicas: 3 } }, answers);
    expect(drafted).toEqual({
      distribution: 'Upstream',
      vcenters: [vc1, { server: 'vc2.example', credentialsSecret: 'vcenter' }],
      csi: { replicas: 3 },
    });
  });

  it('changes the vCenter it is about, and leaves its Secret', () => {
    const { vcenters } = draftSpec({ vcenters: [vc1] }, { ...answers, server: 'VC1.example', datacenters: ['/b'] });
    expect(vcenters).toEqual([{ server: 'VC1.example', credentialsSecret: 'one', datacenters: ['/b'] }]);
  });
});
