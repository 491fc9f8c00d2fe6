import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, test } from 'vitest';
import { node } from '../testing/node.ts';
import { decideFate, deletionPaused, type Fate, type FateQuestion, type Sighting } from './node-fate.ts';
import { shutdownTaint } from './taints.ts';

const ready = node({ ready: 'True' });
const readyTainted = node({ ready: 'True', taints: [shutdownTaint] });
const down = node({ ready: 'Unknown' });
const downTainted = node({ ready: 'False', taints: [shutdownTaint] });
const present = (powerState: 'poweredOn' | 'poweredOff' | 'suspended'): Sighting => ({ state: 'present', powerState });
const silent: Sighting = {
  state: 'unknown',
  error: new VdoError({ code: 'VCenterUnreachable', message: 'down', remedy: 'Wait.' }),
};
const gone: Sighting = { state: 'missing', reference: { proof: 'gone' } };
const elsewhere: Sighting = { state: 'missing', reference: { proof: 'exists' } };
const hidden: Sighting = { state: 'missing', reference: { proof: 'none', because: 'the folder is not readable' } };

const minute = 60_000;
const ask = (given: Partial<FateQuestion>): Fate =>
  decideFate({
    node: down,
    sighting: undefined,
    goneSinceMs: undefined,
    nowMs: 100 * minute,
    confirmAfterMs: minute,
    ...given,
  });

describe('decideFate', () => {
  test.each<[string, Partial<FateQuestion>, Fate['action']]>([
    ['a ready node is kept', { node: ready }, 'keep'],
    ['a ready node is kept even if its VM seems gone', { node: ready, sighting: gone, goneSinceMs: 0 }, 'keep'],
    ['a ready node loses the shutdown taint', { node: readyTainted }, 'untaint'],
    ['a node whose VM runs is kept', { sighting: present('poweredOn') }, 'keep'],
    ['a node whose VM is off is tainted', { sighting: present('poweredOff') }, 'taint'],
    ['a node whose VM is suspended is tainted', { sighting: present('suspended') }, 'taint'],
    ['it is tainted once', { node: downTainted, sighting: present('poweredOff') }, 'keep'],
    ['the taint stays until the node is ready', { node: downTainted, sighting: present('poweredOn') }, 'keep'],
    ['a silent vCenter keeps the node', { sighting: silent, goneSinceMs: 0 }, 'keep'],
    ['a VM outside the search keeps the node', { sighting: elsewhere, goneSinceMs: 0 }, 'report'],
    ['a lost permission keeps the node', { sighting: hidden, goneSinceMs: 0 }, 'report'],
    ['a VM gone for the first time is looked for again', { sighting: gone }, 'confirm'],
    ['a VM gone for too short is looked for again', { sighting: gone, goneSinceMs: 99.5 * minute }, 'confirm'],
    ['a VM gone twice, a minute apart, takes its node along', { sighting: gone, goneSinceMs: 99 * minute }, 'delete'],
  ])('%s', (_name, question, action) => {
    expect(ask(question).action).toBe(action);
  });

  test('the second look comes when the delay is over', () => {
    expect(ask({ sighting: gone, goneSinceMs: 99.5 * minute })).toEqual({ action: 'confirm', afterMs: minute / 2 });
    expect(ask({ sighting: gone })).toEqual({ action: 'confirm', afterMs: minute });
  });

  test('what is reported says why and what to do', () => {
    expect(ask({ sighting: hidden })).toMatchObject({
      problem: {
        code: 'NodeGoneUnproven',
        message: expect.stringContaining('the folder is not readable'),
        remedy: expect.stringContaining('kubectl delete node node-1'),
      },
    });
    expect(deletionPaused('node-1')).toMatchObject({ code: 'NodeDeletionPaused' });
  });
});
