import { status } from '@grpc/grpc-js';
import { openFence } from '@vdo/base/fence';
import { isVdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { grpcStatusOf } from '@vdo/csi-proto/testing/grpc-status-of';
import { describe, expect, it } from 'vitest';
import { capability } from '../testing/domain-testbed.ts';
import { createNodeService } from './node-service.ts';

const { signal } = new AbortController();
const context = { signal, lifetime: signal, fence: openFence };
const commands: string[] = [];
const refuse = (command: string) => {
  commands.push(command);
  return Promise.reject(new Error(`bad input must not get as far as ${command}`));
};
const node = createNodeService({
  run: refuse,
  mounter: {
    list: () => refuse('list'),
    at: () => refuse('at'),
    mount: () => refuse('mount'),
    unmount: () => refuse('unmount'),
  } as never,
  clock: createVirtualClock(),
  sysfsRoot: '/nowhere',
  devRoot: '/nowhere',
  nodeUuid: async () => 'x',
});

const disk = { type: 'vSphere CNS Block Volume', diskUUID: '6000c29a'.repeat(4), 'vdo.vmware.com/size-bytes': '1' };
const request = (change: Record<string, unknown> = {}) => ({
  volumeId: 'v',
  stagingTargetPath: '/staging',
  targetPath: '/target',
  volumePath: '/target',
  volumeCapability: capability(),
  publishContext: disk,
  volumeContext: {},
  readonly: false,
  ...change,
});
const withContext = (change: Record<string, string>) => request({ publishContext: { ...disk, ...change } });
const tooLong = 'p'.repeat(4097);

type Method = keyof typeof node;
const both: readonly Method[] = ['nodeStageVolume', 'nodePublishVolume'];
const all: readonly Method[] = [
  ...both,
  'nodeUnstageVolume',
  'nodeUnpublishVolume',
  'nodeGetVolumeStats',
  'nodeExpandVolume',
];

/** What is wrong → which methods see it, what is said of it, and what to do. */
const table: Readonly<Record<string, readonly [readonly Method[], Record<string, unknown>, RegExp, RegExp]>> = {
  'no volume id': [all, request({ volumeId: '' }), /no volume_id/, /Set volume_id/],
  'a volume id that is too long': [
    all,
    request({ volumeId: 'v'.repeat(129) }),
    /129 bytes, CSI allows 128/,
    /Shorten volume_id/,
  ],
  'no staging path': [both, request({ stagingTargetPath: '' }), /no staging_target_path/, /Set staging_target_path/],
  'a staging path that is too long': [
    ['nodeStageVolume', 'nodeUnstageVolume'],
    request({ stagingTargetPath: tooLong }),
    /4097 bytes, CSI allows 4096/,
    /Shorten staging_target_path/,
  ],
  'no target path': [
    ['nodePublishVolume', 'nodeUnpublishVolume'],
    request({ targetPath: '' }),
    /no target_path/,
    /Set target_path/,
  ],
  'one path for both': [
    ['nodePublishVolume'],
    request({ targetPath: '/staging' }),
    /both \/staging/,
    /Use different paths/,
  ],
  'no volume path': [
    ['nodeGetVolumeStats', 'nodeExpandVolume'],
    request({ volumePath: '' }),
    /no volume_path/,
    /Set volume_path/,
  ],
  'no capability': [both, request({ volumeCapability: undefined }), /no volume_capability/, /Set volume_capability/],
  'a capability without access mode': [
    both,
    request({ volumeCapability: capability('UNKNOWN') }),
    /no access mode/,
    /Set access_mode/,
  ],
  'a file system that nobody knows': [
    both,
    request({ volumeCapability: capability('SINGLE_NODE_WRITER', { fsType: 'ntfs' }) }),
    /file system ntfs is not supported/,
    /ext4, ext3, xfs or btrfs/,
  ],
  'a raw device for many nodes': [
    both,
    request({ volumeCapability: capability('MULTI_NODE_MULTI_WRITER', { block: true }) }),
    /is for several nodes/,
    /ReadWriteOnce or ReadWriteOncePod/,
  ],
  'no publish context': [
    both,
    request({ publishContext: {} }),
    /publish_context has diskUUID ""/,
    /32 hexadecimal digits that ControllerPublishVolume returned/,
  ],
  'a disk that is no disk': [both, withContext({ diskUUID: '../../sda' }), /diskUUID "\.\.\/\.\.\/sda"/, /hexadecimal/],
  'a size that is no number': [
    both,
    withContext({ 'vdo.vmware.com/size-bytes': '1Gi' }),
    /size "1Gi"/,
    /number of bytes/,
  ],
  'a share without its address': [
    both,
    request({ publishContext: { type: 'vSphere CNS File Volume' } }),
    /Nfsv4AccessPoint ""/,
    /host:\/path/,
  ],
  'a share with options in its address': [
    both,
    request({ publishContext: { type: 'vSphere CNS File Volume', Nfsv4AccessPoint: 'h:/p,suid' } }),
    /Nfsv4AccessPoint "h:\/p,suid"/,
    /host:\/path/,
  ],
};
const cases = Object.entries(table).flatMap(([what, [methods, asked, message, remedy]]) =>
  methods.map((method) => [what, method, asked, message, remedy] as const),
);

describe('bad input of the node role', () => {
  it.each(cases)('%s is InvalidArgument with the remedy: %s', async (_what, method, asked, message, remedy) => {
    const call = node[method] as (request: unknown, options: unknown) => Promise<unknown>;
    const error = await call(asked, context).catch((caught: unknown) => caught);
    if (!isVdoError(error)) throw new Error(`not refused: ${String(error)}`);
    expect(error.message).toMatch(message);
    expect(error.remedy).toMatch(remedy);
    expect(grpcStatusOf[error.code]).toBe(status.INVALID_ARGUMENT);
  });

  it('touches nothing', () => {
    expect(commands).toEqual([]);
  });
});
