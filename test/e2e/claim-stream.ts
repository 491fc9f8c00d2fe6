import { type Clock, sleep } from '@vdo/base/clock';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumeClaims } from '@vdo/kube/types/core';
import { type VolumeAttachment, volumeAttachments } from '@vdo/kube/types/storage';

const pollEveryMs = 50;
const nextClaimMs = 2_000;
const namespace = 'default';
const kinds = ['provision', 'attach', 'detach'] as const;
type Kind = (typeof kinds)[number];

/** The longest time between two successes of each kind, in milliseconds, and how many successes there were. */
export type Gaps = Readonly<Record<Kind, { readonly longestMs: number; readonly successes: number }>>;

export interface StreamOptions {
  readonly kube: KubeClient;
  readonly clock: Clock;
  /** Binds at once. */
  readonly storageClassName: string;
  /** A bound volume that nothing else attaches, and the node that it is attached to. */
  readonly volume: string;
  readonly node: string;
}

/** Claims and attachments, one after the other without a pause, at least a claim every two seconds, and the time of each success. */
export const startClaimStream = ({ kube, clock, storageClassName, volume, node }: StreamOptions) => {
  const ending = new AbortController();
  const { signal } = ending;
  const successes: Record<Kind, number[]> = { provision: [], attach: [], detach: [] };
  const succeed = (kind: Kind): void => void successes[kind].push(clock.monotonicMs());
  let slowestClaimMs = 0;
  const until = async (ask: () => Promise<boolean>): Promise<void> => {
    while (!(await ask())) await sleep(clock, pollEveryMs, { signal });
  };

  const provisionOne = async (index: number): Promise<void> => {
    const key = { name: `stream-${index}`, namespace };
    const beganMs = clock.monotonicMs();
    await kube.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: key,
      spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '16Mi' } } },
    });
    await until(async () => (await kube.get(persistentVolumeClaims, key)).status?.phase === 'Bound');
    succeed('provision');
    slowestClaimMs = Math.max(slowestClaimMs, clock.monotonicMs() - beganMs);
    await kube.delete(persistentVolumeClaims, key);
  };
  /** People do not wait for the claims of others: one that takes long is left behind. */
  const provision = async (): Promise<void> => {
    const begun: Promise<void>[] = [];
    const failed: unknown[] = [];
    for (let index = 0; !signal.aborted && failed.length === 0; index += 1) {
      const one = provisionOne(index);
      begun.push(one.catch((error: unknown) => void failed.push(error)));
      await Promise.race([one, sleep(clock, nextClaimMs, { signal })]);
    }
    await Promise.all(begun);
    if (failed.length > 0) throw failed[0];
  };
  const attach = async (): Promise<void> => {
    for (let index = 0; !signal.aborted; index += 1) {
      const key = { name: `stream-${index}` };
      const attachment: VolumeAttachment = {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: key,
        spec: { attacher: names.csiDriver, nodeName: node, source: { persistentVolumeName: volume } },
      };
      await kube.create(volumeAttachments, attachment);
      await until(async () => (await kube.get(volumeAttachments, key)).status?.attached === true);
      succeed('attach');
      await kube.delete(volumeAttachments, key);
      await until(async () => (await kube.find(volumeAttachments, key)) === undefined);
      succeed('detach');
    }
  };
  const running = [provision(), attach()].map((loop) =>
    loop.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    }),
  );

  /** Until every kind named has succeeded again. */
  const flows = async (wanted: readonly Kind[] = kinds): Promise<void> => {
    const before = wanted.map((kind) => successes[kind].length);
    await Promise.race([
      until(async () => wanted.every((kind, index) => successes[kind].length > (before[index] ?? 0))),
      Promise.all(running),
    ]);
  };
  return {
    flows,
    /** Of the claims that were bound so far, how long the slowest took. */
    slowestClaimMs: (): number => Math.round(slowestClaimMs),
    /** Does something, and tells the longest gaps from the last success before it to the first one after it. */
    during: async (act: () => Promise<void>, wanted: readonly Kind[] = kinds): Promise<Gaps> => {
      await flows(wanted);
      const from = Object.fromEntries(kinds.map((kind) => [kind, Math.max(0, successes[kind].length - 1)]));
      await act();
      await flows(wanted);
      const gapsOf = (kind: Kind) => {
        const times = successes[kind].slice(from[kind]);
        const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
        return [kind, { longestMs: Math.round(Math.max(0, ...gaps)), successes: times.length - 1 }] as const;
      };
      return Object.fromEntries(wanted.map(gapsOf)) as Gaps;
    },
    stop: async (): Promise<void> => {
      ending.abort(new Error('the stream ends'));
      await Promise.all(running);
    },
  };
};

export const describeGaps = (gaps: Gaps): string =>
  Object.entries(gaps)
    .map(([kind, { longestMs, successes }]) => `${kind} ${(longestMs / 1000).toFixed(1)} s (${successes})`)
    .join(', ');
