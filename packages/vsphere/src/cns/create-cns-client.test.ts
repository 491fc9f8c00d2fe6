import { openFence } from '@vdo/base/fence';
import { describe, expect, it } from 'vitest';
import { createDestructiveCalls } from '../destructive/create-destructive-calls.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import { ScriptedFault } from '../testing/scripted-sdk.ts';
import { createScriptedSession, serviceContent } from '../testing/scripted-session.ts';
import {
  cnsAttachVolume,
  cnsCreateSnapshots,
  cnsDetachVolume,
  cnsExtendVolume,
  cnsQuerySnapshots,
} from '../wire/methods/cns.ts';
import { retrieveServiceContent } from '../wire/methods/session.ts';
import { moref } from '../wire/moref.ts';
import { createCnsClient } from './create-cns-client.ts';

const vm = moref('VirtualMachine', 'vm-1');
const fence = openFence;

type Result = Readonly<Record<string, unknown>>;

/** Tasks that are finished with these results as soon as anybody asks. */
const setup = (volumeResults: readonly Result[]) => {
  const { session, sdk } = createScriptedSession();
  const task = moref('Task', 'task-1');
  for (const method of [cnsAttachVolume, cnsDetachVolume, cnsExtendVolume, cnsCreateSnapshots, cnsQuerySnapshots])
    sdk.on(method, () => task);
  const result = { $type: 'CnsVolumeOperationBatchResult', volumeResults };
  const tasks = {
    wait: async () => ({ task, result }),
    close: () => {},
  } as unknown as TaskWaiter;
  return { sdk, cns: { ...createCnsClient(session, tasks), ...createDestructiveCalls(session, tasks) } };
};

const done = (id: string, more: Result = {}): Result => ({
  $type: 'CnsVolumeOperationResult',
  volumeId: { id },
  ...more,
});
const failed = (id: string, $type: string, more: Result = {}): Result =>
  done(id, { fault: { fault: { $type, ...more }, localizedMessage: '' } });

describe('attaching', () => {
  it('matches results to volumes by id, whatever their order', async () => {
    const { cns } = setup([
      { ...done('b'), $type: 'CnsVolumeAttachResult', diskUUID: '6000C29B-0000-0000-0000-00000000000B' },
      failed('a', 'ResourceInUse'),
    ]);
    const outcomes = await cns.attach(
      [
        { volumeId: 'a', vm },
        { volumeId: 'b', vm },
      ],
      { fence },
    );
    expect(outcomes).toMatchObject([
      { ok: false, error: { code: 'VCenterBusy' } },
      { ok: true, value: '6000c29b00000000000000000000000b' },
    ]);
  });

  it('of nothing sends nothing', async () => {
    const { cns, sdk } = setup([]);
    expect(await cns.attach([], { fence })).toEqual([]);
    expect(sdk.calls).toEqual([]);
  });

  it('tells the task before it waits', async () => {
    const { cns } = setup([done('a')]);
    const reported: string[] = [];
    const onTask = async ({ value }: { readonly value: string }) => void reported.push(value);
    await cns.detach([{ volumeId: 'a', vm }], { fence, onTask });
    expect(reported).toEqual(['task-1']);
  });
});

describe('the Lease', () => {
  const lostWhen = () => {
    let isLost = false;
    const fence = {
      assertHeld: () => {
        if (isLost) throw new Error('the Lease is lost');
      },
    };
    const lose = () => {
      isLost = true;
    };
    return { fence, lose };
  };

  it('that is lost during the login keeps the call from being sent', async () => {
    const { cns, sdk } = setup([done('a')]);
    const { fence, lose } = lostWhen();
    sdk.on(retrieveServiceContent, () => {
      lose();
      return serviceContent;
    });
    await expect(cns.detach([{ volumeId: 'a', vm }], { fence })).rejects.toThrow('the Lease is lost');
    expect(sdk.count('Login')).toBe(1);
    expect(sdk.count('CnsDetachVolume')).toBe(0);
  });

  it('that is lost while a lost session is opened anew keeps the call from being sent again', async () => {
    const { cns, sdk } = setup([done('a')]);
    const { fence, lose } = lostWhen();
    sdk.on(cnsDetachVolume, () => {
      lose();
      throw new ScriptedFault({ $type: 'NotAuthenticated' });
    });
    await expect(cns.detach([{ volumeId: 'a', vm }], { fence })).rejects.toThrow('the Lease is lost');
    expect(sdk.count('Login')).toBe(2);
    expect(sdk.count('CnsDetachVolume')).toBe(1);
  });
});

describe('one volume', () => {
  it.each([
    ['NotFound', {}, 'VolumeNotFound'],
    ['CnsVolumeNotFoundFault', {}, 'VolumeNotFound'],
    ['NoPermission', { privilegeId: 'Datastore.FileManagement' }, 'VCenterPermissionDenied'],
    ['NoDiskSpace', {}, 'DatastoreFull'],
  ])('that fails with %s throws', async (fault, more, code) => {
    const { cns } = setup([failed('a', fault, more)]);
    await expect(cns.extend('a', 1n, { fence })).rejects.toMatchObject({
      code,
      message: expect.stringContaining('a'),
    });
  });

  it('that CNS gives a reason for passes it on', async () => {
    const { cns } = setup([done('a', { fault: { fault: { $type: 'CnsFault', reason: 'the disk has snapshots' } } })]);
    await expect(cns.extend('a', 1n, { fence })).rejects.toThrow('the disk has snapshots');
  });

  it('whose task has no result is an error', async () => {
    const { cns } = setup([]);
    await expect(cns.extend('a', 1n, { fence })).rejects.toMatchObject({ code: 'VCenterReplyMalformed' });
  });

  it('whose snapshots are asked for has none only if the answer says so', async () => {
    const { cns } = setup([]);
    await expect(cns.querySnapshots({ volumeId: 'a' })).rejects.toMatchObject({
      code: 'VCenterReplyMalformed',
      effect: 'unknown',
    });
  });

  it('whose snapshot has no id is an error', async () => {
    const { cns } = setup([done('a')]);
    await expect(cns.createSnapshot('a', 'd', { fence })).rejects.toMatchObject({
      code: 'VCenterReplyMalformed',
    });
  });
});
