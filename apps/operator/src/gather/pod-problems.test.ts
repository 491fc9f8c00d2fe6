import type { KubeClient } from '@vdo/kube/client';
import type { Pod } from '@vdo/kube/types/core';
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
const options = { namespace: 'home', signal: new AbortController().signal };

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
    expect(problem?.remedy).toBe('kubectl -n home logs b -c driver --previous tells why.');
  });
});
