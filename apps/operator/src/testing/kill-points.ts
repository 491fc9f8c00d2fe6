import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Wire } from '@vdo/sim-world/create-sim-world';
import type { SimTestbed, TestbedState } from './sim-testbed.ts';

/** What a successor finds if a process dies before or after one of these calls. */
export interface KillPoint {
  readonly state: TestbedState;
  readonly moments: readonly string[];
}

const nameOf = (to: string, { method, path, body }: HttpRequest): string =>
  to === 'kube'
    ? `${method} ${path.split('?')[0]}`
    : (/<(?:\w+:)?Body>\s*<(?:\w+:)?(\w+)/.exec(String(body))?.[1] ?? path);

const isEvent = /\/events$/;
const isLease = /\/leases$/;

// Nobody reads events, and of a Lease only the holder decides who goes on; everything else tells two states apart.
const fingerprintOf = ({ cluster }: TestbedState): string => {
  const mark = (bucket: string, { metadata, spec }: AnyObject): string => {
    const version = isLease.test(bucket)
      ? (spec as { holderIdentity?: string }).holderIdentity
      : metadata.resourceVersion;
    return `${bucket}/${metadata.namespace}/${metadata.name}@${version}`;
  };
  return Object.entries(cluster.buckets)
    .filter(([bucket]) => !isEvent.test(bucket))
    .flatMap(([bucket, objects]) => objects.map((object) => mark(bucket, object)))
    .join(' ');
};

/**
 * Listens to one process and keeps the state of the world before and after each of its calls, whatever they are. A process
 * remembers nothing but what is outside of it, so a kill is no more than its state: calls that changed nothing between
 * them share one, and it is tried once.
 */
export const createKillPoints = (victim: string) => {
  const calls: string[] = [];
  const points = new Map<string, { readonly state: TestbedState; readonly moments: string[] }>();
  let watched: SimTestbed | undefined;

  const note = (moment: string): void => {
    if (!watched) return;
    const state = watched.capture();
    const fingerprint = fingerprintOf(state);
    const known = points.get(fingerprint) ?? { state, moments: [] };
    known.moments.push(moment);
    points.set(fingerprint, known);
  };

  const wire: Wire = (to, transport, process): HttpTransport => {
    if (process !== victim) return transport;
    return async (request) => {
      if (!watched) return transport(request);
      const call = nameOf(to, request);
      const index = calls.push(call) - 1;
      note(`before call ${index}, ${call}`);
      try {
        return await transport(request);
      } finally {
        note(`after call ${index}, ${call}`);
      }
    };
  };

  return {
    wire,
    /** From here on each call counts. */
    watch: (testbed: SimTestbed): void => {
      watched = testbed;
    },
    /** The end of what is enumerated. */
    finish: (): { readonly calls: readonly string[]; readonly points: readonly KillPoint[] } => {
      watched = undefined;
      return { calls, points: [...points.values()] };
    },
  };
};
