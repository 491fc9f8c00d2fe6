import type { AnyObject } from '@vdo/kube/types/object';
import { describe, expect, it } from 'vitest';
import { continueSnapshot } from './continue-snapshot.ts';

const object = (kind: string, name: string): AnyObject => ({ apiVersion: 'v1', kind, metadata: { name } });

describe('continuing from a snapshot', () => {
  it('keeps what was described, and forgets machines, disks and processes', () => {
    const buckets = {
      secrets: [object('Secret', 'vcenter')],
      statefulsets: [object('StatefulSet', 'diary')],
      pods: [object('Pod', 'diary-0')],
      nodes: [object('Node', 'node-1')],
      volumes: [object('PersistentVolume', 'pvc-1')],
      claims: [object('PersistentVolumeClaim', 'data-diary-0')],
    };
    const { revision, buckets: kept } = continueSnapshot({ revision: 7, buckets });
    expect(revision).toBe(7);
    expect(kept['secrets']).toEqual(buckets.secrets);
    expect(kept['statefulsets']).toEqual(buckets.statefulsets);
    for (const name of ['pods', 'nodes', 'volumes', 'claims']) expect(kept[name]).toEqual([]);
  });
});
