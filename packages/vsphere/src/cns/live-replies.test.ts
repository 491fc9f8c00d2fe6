import { openFence as fence } from '@vdo/base/fence';
import { describe, expect, it } from 'vitest';
import { createDestructiveCalls } from '../destructive/create-destructive-calls.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { ScriptedFault } from '../testing/scripted-sdk.ts';
import { createScriptedSession } from '../testing/scripted-session.ts';
import {
  cnsAttachVolume,
  cnsConfigureVolumeACLs,
  cnsDeleteSnapshots,
  cnsDeleteVolume,
  cnsDetachVolume,
} from '../wire/methods/cns.ts';
import { type MoRef, moref } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { CnsVolume as CnsVolumeType } from '../wire/types/cns.ts';
import { toVolume, volumeOfResult } from './cns-specs.ts';
import { createCnsClient } from './create-cns-client.ts';

const vm = moref('VirtualMachine', 'vm-1');

/** Tasks end at once, with what the call says of its volumes. */
const setup = () => {
  const { session, sdk } = createScriptedSession();
  const results = new Map<string, readonly object[]>();
  const started = (volumeResults: readonly object[]): MoRef => {
    const task = moref('Task', `task-${results.size}`);
    results.set(task.value, volumeResults);
    return task;
  };
  const tasks = {
    wait: async (task: MoRef) => ({
      task,
      result: { $type: 'CnsVolumeOperationBatchResult', volumeResults: results.get(task.value) },
    }),
    close: () => {},
  } as unknown as TaskWaiter;
  return { sdk, started, cns: { ...createCnsClient(session, tasks), ...createDestructiveCalls(session, tasks) } };
};

const refuse = ($type: string) => () => {
  throw new ScriptedFault({ $type });
};

describe('NotFound, as a fault of the call', () => {
  it('means that there is nothing to delete', async () => {
    const { sdk, cns } = setup();
    sdk.on(cnsDeleteVolume, refuse('NotFound')).on(cnsDeleteSnapshots, refuse('NotFound'));
    expect(await cns.deleteVolume('a', { fence })).toBe(false);
    expect(await cns.unregister('a', { fence })).toBe(false);
    expect(await cns.deleteSnapshot({ volumeId: 'a', snapshotId: 's' }, { fence })).toBe(false);
  });

  it('is the outcome of that volume alone', async () => {
    const { sdk, cns, started } = setup();
    sdk.on(cnsDetachVolume, ({ detachSpecs = [] }) => {
      const ids = detachSpecs.map(({ volumeId }) => volumeId.id);
      if (ids.includes('gone')) throw new ScriptedFault({ $type: 'NotFound' });
      return started(ids.map((id) => ({ $type: 'CnsVolumeOperationResult', volumeId: { id } })));
    });
    const items = ['a', 'gone', 'b'].map((volumeId) => ({ volumeId, vm }));
    expect(await cns.detach(items, { fence })).toMatchObject([
      { ok: true },
      { ok: false, error: { code: 'VolumeNotFound' } },
      { ok: true },
    ]);
  });
});

describe('a vCenter that takes one volume at a time', () => {
  it('is sent one at a time from then on', async () => {
    const { sdk, cns, started } = setup();
    sdk.on(cnsAttachVolume, ({ attachSpecs = [] }) => {
      const [first, ...more] = attachSpecs;
      if (!first || more.length > 0) throw new ScriptedFault({ $type: 'InvalidArgument' });
      const { volumeId } = first;
      return started([{ $type: 'CnsVolumeAttachResult', volumeId, diskUUID: `uuid-${volumeId.id}` }]);
    });
    const items = ['a', 'b'].map((volumeId) => ({ volumeId, vm }));
    const expected = [
      { ok: true, value: 'uuida' },
      { ok: true, value: 'uuidb' },
    ];
    expect(await cns.attach(items, { fence })).toEqual(expected);
    expect(sdk.count('CnsAttachVolume')).toBe(3);
    expect(await cns.attach(items, { fence })).toEqual(expected);
    expect(sdk.count('CnsAttachVolume')).toBe(5);
  });

  it('that refuses one is an error, and not asked again', async () => {
    const { sdk, cns } = setup();
    sdk.on(cnsAttachVolume, refuse('InvalidArgument'));
    await expect(cns.attach([{ volumeId: 'a', vm }], { fence })).rejects.toMatchObject({ code: 'VCenterFault' });
    expect(sdk.count('CnsAttachVolume')).toBe(1);
  });
});

it('a disk without a UUID is refused: the node could not find it', async () => {
  const { sdk, cns, started } = setup();
  sdk.on(cnsAttachVolume, () => started([{ $type: 'CnsVolumeAttachResult', volumeId: { id: 'a' } }]));
  expect(await cns.attach([{ volumeId: 'a', vm }], { fence })).toMatchObject([
    { ok: false, error: { code: 'VCenterReplyMalformed', message: expect.stringContaining('UUID') } },
  ]);
});

it('access is asked for one address at a time, each entry with its type', async () => {
  const { sdk, cns, started } = setup();
  let body = '';
  sdk.on(cnsConfigureVolumeACLs, (_args, request) => {
    body = String(request.body);
    return started([{ $type: 'CnsVolumeOperationResult', volumeId: { id: 'a' } }]);
  });
  const access = 'READ_WRITE' as const;
  const permissions = ['10.0.0.1', '10.0.0.2'].map((ips) => ({ ips, access, rootSquash: false }));
  await cns.grantAccess('a', permissions, { fence });
  expect(
    body.match(/<accessControlSpecList xsi:type="CnsNFSAccessControlSpec"><netPermission><ips>[\d.]+<\/ips>/g),
  ).toHaveLength(2);
});

describe('replies of some versions', () => {
  const entity = {
    $type: 'CnsKubernetesEntityMetadata',
    entityName: 'pv',
    labels: [],
    entityType: 'PERSISTENT_VOLUME',
    referredEntity: [],
  };
  const containerCluster = { clusterType: 'KUBERNETES', clusterId: 'c-1', vSphereUser: 'u' };
  const volume = (entityMetadata: object): Value<typeof CnsVolumeType> =>
    ({
      volumeId: { id: 'a' },
      metadata: { containerCluster, entityMetadata: [entityMetadata], containerClusterArray: [] },
    }) as unknown as Value<typeof CnsVolumeType>;

  it('tell the cluster of an entity with the volume', () => {
    expect(toVolume(volume(entity)).entities).toMatchObject([{ clusterId: 'c-1' }]);
    expect(toVolume(volume({ ...entity, clusterId: 'c-2' })).entities).toMatchObject([{ clusterId: 'c-2' }]);
  });

  it('list datastores that were tried in vain before the one that was taken', () => {
    const datastores = ['ds-1', 'ds-2'].map((value) => moref('Datastore', value));
    const fault = { fault: { $type: 'NoDiskSpace' } };
    const result = {
      $type: 'CnsVolumeCreateResult',
      volumeId: { id: 'a' },
      placementResults: [
        { datastore: datastores[0], placementFaults: [fault], clusters: [] },
        { datastore: datastores[1], placementFaults: [], clusters: [] },
      ],
    } as unknown as Parameters<typeof volumeOfResult>[1];
    const spec = {
      name: 'v',
      capacityMb: 1n,
      datastores,
      datastoreUrls: new Map([
        ['ds-1', 'ds:///one/'],
        ['ds-2', 'ds:///two/'],
      ]),
      cluster: { clusterId: 'c', vSphereUser: 'u', distribution: 'd' },
    };
    expect(volumeOfResult(spec, result)?.datastoreUrl).toBe('ds:///two/');
  });
});
