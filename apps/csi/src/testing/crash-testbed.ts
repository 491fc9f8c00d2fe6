import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import { createSimTestbed } from './sim-testbed.ts';

/** Where the first replica dies: at the n-th request that matters, before it is sent or after its reply. */
export interface Crash {
  readonly at: number;
  readonly when: 'before' | 'after';
}

export type Testbed = ReturnType<typeof createSimTestbed>;

/** The requests at which the program can die with an effect outside: every vCenter call, every write to the cluster. */
const matters = (to: 'kube' | 'vcenter', { method, path, body }: HttpRequest): boolean => {
  if (to === 'kube') return method !== 'GET' && !path.includes('/leases') && !path.includes('/events');
  return !String(body).includes('WaitForUpdatesEx');
};

const nameOf = (to: string, { method, path, body }: HttpRequest): string =>
  to === 'kube'
    ? `${method} ${path.split('?')[0]}`
    : (/<(?:\w+:)?Body>\s*<(?:\w+:)?(\w+)/.exec(String(body))?.[1] ?? path);

/** A testbed whose first replica dies at the given request, with a second one in waiting. `seen` names the requests so far. */
const openCrashTestbed = async (
  crash: Crash | undefined,
  prepare: (opened: Testbed) => Promise<void> = async () => {},
): Promise<{ readonly opened: Testbed; readonly seen: readonly string[] }> => {
  const seen: string[] = [];
  let victim: { kill(): void } | undefined;
  let starting = 'replica-1';
  const wire = (to: 'kube' | 'vcenter', transport: HttpTransport): HttpTransport => {
    // Only the first replica is to die.
    if (starting !== 'replica-1') return transport;
    return async (request) => {
      if (!victim || !matters(to, request)) return transport(request);
      const here = seen.length === crash?.at;
      seen.push(nameOf(to, request));
      if (here && crash?.when === 'before') {
        victim.kill();
        return new Promise(() => {});
      }
      const reply = await transport(request);
      if (here) victim.kill();
      return reply;
    };
  };
  const opened = createSimTestbed({ wire });
  await opened.setUp();
  const first = opened.start('replica-1');
  try {
    await prepare(opened);
  } catch (error) {
    await opened.stop();
    throw error;
  }
  victim = first;
  starting = 'replica-2';
  opened.start(starting);
  return { opened, seen };
};

/** Lives through something once unharmed, then once for each request at which the first replica can die. */
export const crashEverywhere = async (
  prepare: ((opened: Testbed) => Promise<void>) | undefined,
  live: (opened: Testbed) => Promise<void>,
): Promise<readonly string[]> => {
  const once = async (crash: Crash | undefined): Promise<readonly string[]> => {
    const { opened, seen } = await openCrashTestbed(crash, prepare);
    try {
      await live(opened);
      // What comes after is the end of the testbed.
      return [...seen];
    } finally {
      await opened.stop();
    }
  };
  const calls = await once(undefined);
  for (let at = 0; at < calls.length; at++)
    for (const when of ['before', 'after'] as const)
      await once({ at, when }).catch((error) => {
        throw new Error(`crash ${when} request ${at} (${calls[at]} of ${calls.join(', ')})`, { cause: error });
      });
  return calls;
};
