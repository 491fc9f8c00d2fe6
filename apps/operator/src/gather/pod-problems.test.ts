import type { KubeClient } from '@vdo/kube/client';
import type { Node, Pod } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { findPodProblem } from './pod-problems.ts';

const pod = (name: string, reason?: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'home' },
  spec: { containers: [{ name: 'driver', image: 'vdo/vdo:1.0.0' }] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: reason ? 'False' : 'True' }],
    containerStatuses: [
      { name: 'driver', ready: !reason, restartCount: 0, ...(reason ? { state: { waiting: { reason } } } : {}) },
    ],
  },
});

/** Gives these pages of pods, and counts how many were asked for. */
const cluster = (...pages: readonly (readonly Pod[])[]) => {
  const seen = { pages: 0, limit: 0 };
  const kube = {
    async *pages(_resource: unknown, { limit }: { readonly limit: number }) {
      seen.limit = limit;
      for (const items of pages) {
        seen.pages += 1;
        yield { metadata: {}, items };
      }
    },
  };
  return { seen, find: () => findPodProblem(kube as unknown as KubeClient, 'csi', options) };
};
const nowMs = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(nowMs - seconds * 1_000).toISOString();
const node = (name: string): Node | undefined =>
  ['up', 'down'].includes(name)
    ? {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name },
        spec: {},
        status: {
          conditions: [{ type: 'Ready', status: name === 'up' ? 'True' : 'Unknown', message: 'Kubelet stopped' }],
        },
      }
    : undefined;
const options = { namespace: 'home', nowMs, node, signal: new AbortController().signal };
/** Runs, says nothing, and is not ready. */
const unready = (name: string, nodeName: string | undefined, since: string): Pod => ({
  ...pod(name),
  spec: { ...pod(name).spec, ...(nodeName ? { nodeName } : {}) },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: since }] },
});

describe('what keeps pods from running', () => {
  it('is nothing while the kubelet names no reason', async () => {
    const { find, seen } = cluster([pod('a')], [pod('b')]);
    expect(await find()).toBeUndefined();
    expect(seen).toEqual({ pages: 2, limit: 100 });
  });

  it('is an image that cannot be pulled, with which the search ends', async () => {
    const { find, seen } = cluster([pod('a', 'CrashLoopBackOff')], [pod('b', 'ErrImagePull')], [pod('c')]);
    expect(await find()).toMatchObject({ code: 'ImagePullFailed', message: expect.stringContaining('pod b') });
    expect(seen.pages).toBe(2);
  });

  it('is the first container that does not stay up, if all images are there', async () => {
    const { find } = cluster([pod('a')], [pod('b', 'CrashLoopBackOff'), pod('c', 'CreateContainerError')]);
    const problem = await find();
    expect(problem).toMatchObject({ code: 'WorkloadsNotReady', message: expect.stringContaining('pod b') });
    expect(problem?.remedy).toBe('To see why: kubectl -n home logs b -c driver --previous');
  });

  it.each([
    [
      'a pod on a node that fell silent',
      unready('a', 'down', ago(31)),
      /node down is not ready \(Kubelet stopped\), and pod a/,
      /kubectl describe node down/,
    ],
    [
      'a pod on a node that is up',
      unready('a', 'up', ago(121)),
      /pod a on node up has not been ready since/,
      /kubectl -n home describe pod a/,
    ],
    [
      'a pod without a node',
      unready('a', undefined, ago(121)),
      /pod a has not been scheduled to a node since/,
      /kubectl -n home describe pod a/,
    ],
  ])('is, after a while, %s', async (_what, given, message, remedy) => {
    expect(await cluster([given]).find()).toMatchObject({
      code: 'WorkloadsNotReady',
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    });
  });

  it('is not a pod that has not had its time', async () => {
    const early = [unready('a', 'down', ago(29)), unready('b', 'up', ago(119)), unready('c', undefined, ago(119))];
    expect(await cluster(early).find()).toBeUndefined();
  });

  it('is a container that does not stay up rather than a pod that lingers', async () => {
    const problem = await cluster([unready('a', 'down', ago(500)), pod('b', 'CrashLoopBackOff')]).find();
    expect(problem?.message).toContain('pod b');
  });
});
