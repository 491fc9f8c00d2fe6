import { type Clock, sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { CallOptions, KubeClient } from '../client.ts';
import type { AnyObject } from '../types/object.ts';
import type { Resource } from '../types/resource.ts';
import { describeRef, type ObjectRef } from './object-ref.ts';
import { type Readiness, readinessOf } from './readiness.ts';

export interface RefReadiness {
  readonly ref: ObjectRef;
  /** `NotFound` if the object does not exist. */
  readonly state: Readiness['state'] | 'NotFound';
  readonly message: string;
}

/** The progress of each object. */
const readReadiness = async (
  client: KubeClient,
  refs: readonly ObjectRef[],
  options: CallOptions = {},
): Promise<readonly RefReadiness[]> => {
  const results: RefReadiness[] = [];
  for (const ref of refs) {
    const resource = (await client.resourceFor(ref.apiVersion, ref.kind, options)) as Resource<AnyObject>;
    const key = { name: ref.name, ...(ref.namespace && { namespace: ref.namespace }) };
    const object = await client.find(resource, key, options);
    results.push(object ? { ref, ...readinessOf(object) } : { ref, state: 'NotFound', message: 'does not exist' });
  }
  return results;
};

export interface WaitForReadyOptions extends CallOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Default 1 s. */
  readonly everyMs?: number;
  /** Called after each read. */
  readonly onProgress?: (waiting: readonly RefReadiness[]) => void;
}

/** Waits until all objects are ready: for commands with a user who waits. Controllers check and return instead. */
export const waitForReady = async (
  client: KubeClient,
  refs: readonly ObjectRef[],
  options: WaitForReadyOptions,
): Promise<void> => {
  const { clock, timeoutMs, everyMs = 1_000, signal } = options;
  const call = signal ? { signal } : {};
  const giveUpMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    const waiting = (await readReadiness(client, refs, call)).filter(({ state }) => state !== 'Current');
    if (waiting.length === 0) return;
    options.onProgress?.(waiting);
    if (waiting.some(({ state }) => state === 'Failed') || clock.monotonicMs() >= giveUpMs) throw notReady(waiting);
    await sleep(clock, everyMs, call);
  }
};

const notReady = (waiting: readonly RefReadiness[]): VdoError => {
  const lines = waiting.map(({ ref, message }) => `${describeRef(ref)}: ${message}`);
  const [first] = waiting;
  const { kind = '', name = '', namespace } = first?.ref ?? {};
  return new VdoError({
    code: 'WorkloadsNotReady',
    message: `not ready: ${lines.join('; ')}`,
    remedy: `Check its events: kubectl describe ${kind.toLowerCase()} ${name}${namespace ? ` --namespace ${namespace}` : ''}`,
    details: { waiting: lines },
  });
};
