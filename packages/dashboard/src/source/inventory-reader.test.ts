import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { KubeClient } from '@vdo/kube/client';
import type { Pod } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { createInventoryReader } from './inventory-reader.ts';

const pod = (name: string, phase = 'Running'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'vdo' },
  spec: { containers: [{ name: 'c', image: 'i', ports: [{ name: 'metrics', containerPort: 9820 }] }] },
  status: { phase },
});

/** An API server with these pods, of which some lead. */
const serverWith = (pods: readonly Pod[], leaders: readonly string[]) => {
  const asked: unknown[] = [];
  const kube = {
    list: async () => ({ items: pods }),
    create: async () => ({ status: { token: 'short-lived' } }),
    readFromPod: async (
      { name }: { readonly name: string },
      { scheme, port, path, headers }: Record<string, unknown>,
    ) => {
      asked.push({ name, scheme, port, path, headers });
      if (leaders.includes(name)) return '{"vcenters":[]}';
      throw new VdoError({ code: 'KubeNotFound', message: `${name} does not lead`, remedy: 'r' });
    },
  } as unknown as KubeClient;
  const reader = createInventoryReader({ kube, namespace: 'vdo', clock: createVirtualClock(), everyMs: 1 });
  return { asked, read: () => reader.read(new AbortController().signal) };
};

describe('the inventory', () => {
  it('is read from the replica that leads, with a token of its own', async () => {
    const pods = [pod('other-a'), pod('vdo-operator-a'), pod('vdo-operator-b')];
    const { asked, read } = serverWith(pods, ['vdo-operator-b']);
    expect(await read()).toEqual({ vcenters: [] });
    const headers = { 'x-vdo-metrics-token': 'short-lived' };
    expect(asked).toEqual(
      ['vdo-operator-a', 'vdo-operator-b'].map((name) => ({
        name,
        scheme: 'https',
        port: 9820,
        path: '/inventory',
        headers,
      })),
    );
  });
  it('is missing with the reason of the first replica if none leads', async () => {
    const { read } = serverWith([pod('vdo-operator-a')], []);
    await expect(read()).rejects.toMatchObject({ message: 'vdo-operator-a does not lead' });
  });
  it('is missing while no operator is running', async () => {
    const { read } = serverWith([pod('vdo-operator-a', 'Pending')], []);
    await expect(read()).rejects.toMatchObject({ code: 'KubeNotFound' });
  });
});
