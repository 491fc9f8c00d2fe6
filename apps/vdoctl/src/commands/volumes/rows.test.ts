import type { PersistentVolume } from '@vdo/kube/types/core';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import { describe, expect, it } from 'vitest';
import { volumeRows } from './rows.ts';

const driver = 'csi.vsphere.vmware.com';
const volume = (name: string, volumeHandle: string, by = driver): PersistentVolume =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: { csi: { driver: by, volumeHandle }, claimRef: { namespace: 'default', name: `claim-of-${name}` } },
  }) as unknown as PersistentVolume;
const known = (id: string, healthStatus = 'green', type: CnsVolume['type'] = 'BLOCK') => ({
  server: 'vc1',
  volume: { id, type, name: id, capacityMb: 2048n, healthStatus, datastoreUrl: 'ds:///1/' } as unknown as CnsVolume,
});
const attachment = (persistentVolumeName: string, nodeName: string, attached: boolean): VolumeAttachment =>
  ({
    metadata: { name: nodeName },
    spec: { source: { persistentVolumeName }, nodeName, attacher: driver },
    status: { attached },
  }) as unknown as VolumeAttachment;

describe('the table of volumes', () => {
  it.each([
    ['green', 'ok'],
    ['yellow', 'degraded'],
    ['red', 'inaccessible'],
  ])('a %s volume is %s', (health, state) => {
    const [row] = volumeRows({
      volumes: [volume('a', '1')],
      attachments: [],
      known: [known('1', health)],
      driver,
      allRead: true,
    });
    expect(row).toMatchObject({ state, capacityGb: 2, vcenter: 'vc1', claim: 'default/claim-of-a' });
  });

  it('a volume that no vCenter has is lost, one without PersistentVolume an orphan', () => {
    const rows = volumeRows({
      volumes: [volume('a', '1')],
      attachments: [],
      known: [known('2')],
      driver,
      allRead: true,
    });
    expect(rows.map(({ handle, state }) => [handle, state])).toEqual([
      ['1', 'lost'],
      ['2', 'orphan'],
    ]);
  });

  it('a volume of which no vCenter could be asked is not known, and not lost', () => {
    const [row] = volumeRows({ volumes: [volume('a', '1')], attachments: [], known: [], driver, allRead: false });
    expect(row?.state).toBe('unknown');
  });

  it('knows file volumes by their prefix, and leaves other drivers alone', () => {
    const rows = volumeRows({
      volumes: [volume('f', 'file:3'), volume('other', '9', 'other.example.com')],
      attachments: [],
      known: [known('file:3', 'green', 'FILE')],
      driver,
      allRead: true,
    });
    expect(rows.map(({ persistentVolume, state }) => [persistentVolume, state])).toEqual([['f', 'ok']]);
  });

  it('shows that a disk violates its storage policy, unless something worse is known', () => {
    const strayed = (health: string) => {
      const { server, volume: one } = known('1', health);
      return [{ server, volume: { ...one, complianceStatus: 'nonCompliant' } }];
    };
    const stateOf = (health: string) =>
      volumeRows({ volumes: [volume('a', '1')], attachments: [], known: strayed(health), driver, allRead: true })[0]
        ?.state;
    expect([stateOf('green'), stateOf('red')]).toEqual(['noncompliant', 'inaccessible']);
  });

  it('names the nodes it is attached to', () => {
    const attachments = [attachment('a', 'n1', true), attachment('a', 'n2', false)];
    const [row] = volumeRows({ volumes: [volume('a', '1')], attachments, known: [known('1')], driver, allRead: true });
    expect(row?.attachedTo).toEqual(['n1']);
  });
});
