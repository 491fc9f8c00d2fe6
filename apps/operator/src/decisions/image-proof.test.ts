import type { Pod } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { judgeImages } from './image-proof.ts';

const pod = (states: Readonly<Record<string, object>>, metadata: object = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'probe-1', namespace: 'vdo', ...metadata },
  spec: { containers: Object.keys(states).map((image) => ({ name: image, image })) },
  status: {
    containerStatuses: Object.entries(states).map(([image, said]) => ({
      name: image,
      image,
      imageID: '',
      ready: false,
      restartCount: 0,
      ...said,
    })),
  },
});
const waiting = (reason: string) => ({ state: { waiting: { reason } } });
const judge = (states: Readonly<Record<string, object>>, metadata?: object) =>
  judgeImages(['a', 'b'], [pod(states, metadata)], 'vdo').kind;
const runs = { state: { running: {} } };

describe('images before a switch', () => {
  it.each<[string, string, Readonly<Record<string, object>>]>([
    ['both run', 'pulled', { a: runs, b: runs }],
    ['one has ended, the other runs', 'pulled', { a: { state: { terminated: { exitCode: 0 } } }, b: runs }],
    ['one ends again and again', 'pulled', { a: waiting('CrashLoopBackOff'), b: runs }],
    ['the kubelet has an id of one that cannot start', 'pulled', { a: { imageID: 'sha256:1', state: {} }, b: runs }],
    ['one is being created', 'pending', { a: waiting('ContainerCreating'), b: runs }],
    ['one is not there', 'pending', { a: runs }],
    ['one cannot be pulled', 'failed', { a: waiting('ErrImagePull'), b: runs }],
    ['one is tried again later', 'failed', { a: runs, b: waiting('ImagePullBackOff') }],
  ])('%s', (_what, expected, states) => {
    expect(judge(states)).toBe(expected);
  });

  it('count for nothing in a pod that is being deleted, or before there is one', () => {
    expect(judge({ a: runs, b: runs }, { deletionTimestamp: '2026-01-01T00:00:00Z' })).toBe('pending');
    expect(judgeImages(['a'], [], 'vdo').kind).toBe('pending');
  });

  it('name the image and the remedy', () => {
    const proof = judgeImages(['a', 'b'], [pod({ a: waiting('ErrImagePull'), b: runs })], 'vdo');
    expect(proof).toMatchObject({
      problem: { code: 'ImagePullFailed', remedy: expect.stringContaining('spec.images.registry') },
    });
    expect(proof.kind === 'failed' && proof.problem.message).toContain('cannot pull a');
  });
});
