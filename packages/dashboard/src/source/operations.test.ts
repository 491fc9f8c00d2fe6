import { annotationKeys } from '@vdo/config/names';
import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { describe, expect, it } from 'vitest';
import { ago, claimOf, classOf, clusterFacts, nowMs } from '../testing/cluster-facts.ts';
import type { DashboardFacts } from './build-model.ts';
import { operationMoment } from './moments.ts';
import { attachmentFact, attachmentOperation, creation, expansion, mounting } from './operations.ts';
import { createAttachTimes } from './step-times.ts';
import { volumeRows } from './volume-rows.ts';
import { endedAttachment } from './watch-operations.ts';

const size = { nodes: 2, volumes: 2 };
const [podOfFirst] = clusterFacts(size).pods;
if (!podOfFirst) throw new Error('one pod');
const at = (minutes: number): number => nowMs - minutes * 60_000;
const attachment = (changes: { readonly note?: string; readonly status?: object; readonly metadata?: object } = {}) => {
  const [first] = clusterFacts(size).attachments;
  const annotations = changes.note === undefined ? {} : { [annotationKeys.attachTask]: changes.note };
  return {
    ...first,
    metadata: { ...first?.metadata, uid: 'u', creationTimestamp: ago(3), annotations, ...changes.metadata },
    status: { attached: false, ...changes.status },
  } as VolumeAttachment;
};

describe('an attachment under way', () => {
  it('tells when it was asked for, and which task of vCenter it waits for since when', () => {
    expect(attachmentOperation(attachment({ note: `task-42 ${ago(2)}` }))).toMatchObject([
      {
        what: 'attach',
        steps: [
          { name: 'requested', atMs: at(3) },
          { name: 'task', task: 'task-42', atMs: at(2) },
          { name: 'attached' },
          { name: 'mounted' },
        ],
        done: 2,
        sinceMs: at(3),
      },
    ]);
  });

  it.each([
    ['has no task while none was noted', undefined, {}],
    [
      'has none after the one that was noted failed',
      `task-42 ${ago(2)}`,
      { attachError: { message: 'x', time: ago(1) } },
    ],
    ['has none of a note that nobody of ours wrote', 'anything at all', {}],
    ['has none of an empty note', '', {}],
  ])('%s', (_what, note, status) => {
    const [operation] = attachmentOperation(attachment({ ...(note === undefined ? {} : { note }), status }));
    expect(operation).toMatchObject({ done: 1, steps: [{ name: 'requested' }, { name: 'task' }, {}, {}] });
    expect(operation?.steps[1]).toEqual({ name: 'task' });
  });

  it('tells of the next try, not of the one that failed', () => {
    const [operation] = attachmentOperation(
      attachment({ note: `task-43 ${ago(1)}`, status: { attachError: { message: 'x', time: ago(2) } } }),
    );
    expect(operation?.steps[1]).toEqual({ name: 'task', task: 'task-43', atMs: at(1) });
  });
});

describe('what was attached while somebody watched', () => {
  const before = attachment({ note: `task-42 ${ago(2)}` });
  const after = attachment({ note: `task-42 ${ago(2)}`, status: { attached: true } });
  const watched = createAttachTimes();
  watched.note({ type: 'updated', object: after, previous: before }, at(1));

  it('is attached since then, and its pod mounts since then', () => {
    expect(attachmentFact(after, watched.times)).toMatchObject({ state: 'attached', sinceMs: at(1) });
    const pod = {
      ...podOfFirst,
      metadata: { ...podOfFirst.metadata, creationTimestamp: ago(4) },
      status: { phase: 'Pending', conditions: [{ type: 'PodReadyToStartContainers', status: 'False' as const }] },
    };
    expect(mounting(pod, [after], watched.times)).toMatchObject([
      {
        what: 'mount',
        done: 3,
        sinceMs: at(1),
        steps: [{ atMs: at(3) }, { task: 'task-42' }, { atMs: at(1) }, { name: 'mounted' }],
      },
    ]);
    // Whoever began to watch later does not know it.
    expect(mounting(pod, [after])[0]?.steps[2]).toEqual({ name: 'attached' });
  });

  it('is told with the part of the time that was vCenter’s', () => {
    const [ended] = endedAttachment({ type: 'updated', object: after, previous: before });
    expect(ended).toMatchObject({ what: 'attach', task: { name: 'task-42', sinceMs: at(2) } });
    expect(ended && operationMoment(ended, 120_000).message).toBe('task-42 took 60 s of it in vCenter');
  });

  it('is forgotten with its attachment', () => {
    watched.note({ type: 'deleted', object: after, previous: after }, nowMs);
    expect(watched.times.size).toBe(0);
  });

  it('is not known of an attachment that was attached when it was first seen', () => {
    const late = createAttachTimes();
    late.note({ type: 'added', object: after } as Parameters<typeof late.note>[0], nowMs);
    expect(late.times.size).toBe(0);
  });
});

describe('a creation under way', () => {
  const claim = { ...claimOf(0), metadata: { ...claimOf(0).metadata, creationTimestamp: ago(60) } };

  it('names the task of vCenter and when vCenter was asked', () => {
    const intent = { apiVersion: '', kind: '', metadata: {}, spec: { askedAt: ago(59), task: 'Task:task-7' } };
    expect(creation(claim, intent)).toMatchObject({
      steps: [{ name: 'requested', atMs: at(60) }, { name: 'task', task: 'task-7', atMs: at(59) }, { name: 'created' }],
      done: 2,
    });
  });

  it('counts from the pod where the class waits for one', () => {
    const waiting = { ...claim, spec: { ...claim.spec, volumeName: undefined }, status: { phase: 'Pending' } };
    const pod = { ...podOfFirst, metadata: { ...podOfFirst.metadata, creationTimestamp: ago(1) } };
    const facts = clusterFacts(size, {
      volumes: [],
      claims: [waiting as unknown as DashboardFacts['claims'][number]],
      pods: [pod],
      classes: [{ ...classOf('fast', 'gold'), volumeBindingMode: 'WaitForFirstConsumer' as const }],
    });
    expect(volumeRows(facts)[0]).toMatchObject({ health: 'good', operations: [{ what: 'create', sinceMs: at(1) }] });
  });
});

it('tells of an expansion since when the disk has its size and the file system has not', () => {
  const holding = (type: string, minutes: number) => ({
    type,
    status: 'True' as const,
    lastTransitionTime: ago(minutes),
  });
  const claim = { ...claimOf(0), status: { phase: 'Bound', conditions: [holding('FileSystemResizePending', 2)] } };
  expect(expansion(claim)).toMatchObject([
    { done: 2, sinceMs: at(2), steps: [{ name: 'requested' }, { atMs: at(2) }, {}] },
  ]);
});
