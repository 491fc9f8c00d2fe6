import type { Clock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import { createWatchGate, type Trouble } from './troubles.ts';

/** The ways of one process to the API server and to vCenter, into which trouble can be put at any time. */
export const createWays = (clock: Clock) => {
  const watches = createWatchGate(clock);
  const troubles = { kube: [watches.through], vcenter: [] as Trouble[] };
  const add = (list: Trouble[], trouble: Trouble) => {
    list.push(trouble);
    return () => {
      const at = list.indexOf(trouble);
      if (at >= 0) list.splice(at, 1);
    };
  };
  return {
    wire: (to: 'kube' | 'vcenter', transport: HttpTransport): HttpTransport => {
      // The newest is met first.
      const walk = (count: number): HttpTransport => {
        const trouble = troubles[to][count - 1];
        return trouble ? (request) => trouble(request, walk(count - 1)) : transport;
      };
      return (request) => walk(troubles[to].length)(request);
    },
    /** Watch streams, open ones and new ones, stay open and deliver nothing more; the returned function heals new ones. */
    hangWatches: watches.hang,
    /** Events of watches come this much later. */
    lagWatches: watches.lag,
    /** Puts trouble between the process and the API server; the returned function takes it away. */
    onKube: (trouble: Trouble) => add(troubles.kube, trouble),
    onVCenter: (trouble: Trouble) => add(troubles.vcenter, trouble),
  };
};
