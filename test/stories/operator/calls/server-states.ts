import { type Clock, sleep } from '@vdo/base/clock';
import { httpResponse } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import { namespaces } from '@vdo/kube/types/core';
import { nameOf, outage, type Trouble } from '../../troubles.ts';
import { broken, installed, type State } from './measure.ts';

const isLease = /\/leases(\/|$)/;

const answers =
  (code: number, reason: string, headers: Readonly<Record<string, string>> = {}): Trouble =>
  async (request, next) => {
    if (isLease.test(nameOf(request))) return next(request);
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: reason, reason, code };
    return httpResponse(code, JSON.stringify(status), { 'content-type': 'application/json', ...headers });
  };

const two = async (trouble: Trouble) => {
  const story = await installed();
  story.start('operator-2');
  await story.advance(60_000);
  for (const identity of ['operator-1', 'operator-2']) story.ways(identity).onKube(trouble);
  story.kubeSimNow().dropWatches();
  return story;
};

/** A proxy that bears no connection for longer; it closes it, or breaks it. */
const shortLived =
  (clock: Clock, ms: number, breaks: boolean): Trouble =>
  async (request, next) => {
    const reply = await next(request);
    if (!/[?&]watch=(true|1)/.test(request.path)) return reply;
    const chunks = reply.body[Symbol.asyncIterator]();
    const over = sleep(clock, ms).then(() => {
      if (breaks) throw new HttpFailure('interrupted', 'the connection was reset');
      return { done: true as const, value: undefined };
    });
    over.catch(() => {});
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.race([chunks.next(), over]),
        return: async () => {
          void chunks.return?.().catch(() => {});
          return { done: true, value: undefined };
        },
      }),
    };
    return { ...reply, body };
  };
const behindProxy = async (ms: number, breaks: boolean) => {
  const story = await installed();
  for (const identity of ['operator-1', 'operator-2']) story.ways(identity).onKube(shortLived(story.clock, ms, breaks));
  story.start('operator-2');
  story.kubeSimNow().dropWatches();
  return story;
};

export const serverStates: readonly State[] = [
  [
    'two replicas, and the API server answers 429 for a second to everything but Leases',
    broken,
    () => two(answers(429, 'TooManyRequests', { 'retry-after': '1' })),
  ],
  [
    'two replicas, and the API server answers 429 to everything but Leases',
    broken,
    () => two(answers(429, 'TooManyRequests')),
  ],
  [
    'two replicas, and the API server answers 500 to everything but Leases',
    broken,
    () => two(answers(500, 'InternalError')),
  ],
  [
    'two replicas, and the API server answers 403 to everything but Leases',
    broken,
    () => two(answers(403, 'Forbidden')),
  ],
  [
    'two replicas, and the API server answers 401 to everything but Leases',
    broken,
    () => two(answers(401, 'Unauthorized')),
  ],
  ['two replicas, and the API server is away', broken, () => two(outage())],
  ['two replicas, and a proxy breaks watches after 35 s', broken, () => behindProxy(35_000, true)],
  ['two replicas, and a proxy breaks watches after two seconds', broken, () => behindProxy(2_000, true)],
  ['two replicas, and a proxy ends watches after two seconds', broken, () => behindProxy(2_000, false)],
  [
    'the namespace of the drivers never ends',
    broken,
    async () => {
      const story = await installed({ distribution: 'Upstream', images: { registry: 'registry.example.com' } });
      const key = { name: 'vmware-system-csi' };
      const stuck = { metadata: { finalizers: ['example.com/never'] } };
      await story.kube.patch(namespaces, key, { type: 'merge', body: stuck });
      await story.kube.delete(namespaces, key);
      return story;
    },
  ],
];
