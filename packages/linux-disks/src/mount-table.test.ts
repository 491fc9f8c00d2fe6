import { describe, expect, it } from 'vitest';
import { isReadOnly, mountAt, parseMountInfo } from './mount-table.ts';

const text = `22 27 0:21 / /proc rw,relatime - proc proc rw
36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
40 27 7:1 / /var/lib/kubelet/a\\040b rw,relatime shared:7 master:2 - ext4 /dev/loop1 rw
41 27 7:2 / /var/lib/kubelet/a\\040b ro,relatime - xfs /dev/loop2 rw,nouuid
nonsense
`;

describe('the mount table', () => {
  const entries = parseMountInfo(text);

  it('reads every line, with and without optional fields', () => {
    expect(entries).toHaveLength(4);
    expect(entries[1]).toEqual({
      tree: { id: '36', parent: '35', peers: undefined },
      device: '98:0',
      root: '/mnt1',
      target: '/mnt2',
      options: ['rw', 'noatime'],
      fsType: 'ext3',
      source: '/dev/root',
      superOptions: ['rw', 'errors=continue'],
    });
  });

  it('gives what lies on top, under its real name', () => {
    const entry = mountAt(entries, '/var/lib/kubelet/a b');
    expect(entry?.source).toBe('/dev/loop2');
    expect(entry && isReadOnly(entry)).toBe(true);
  });

  it('gives nothing where nothing is mounted', () => {
    expect(mountAt(entries, '/elsewhere')).toBeUndefined();
  });
});
