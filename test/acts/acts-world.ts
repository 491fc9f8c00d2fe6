import { createActLog } from '@vdo/acts/act-log';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { createCacheProof } from '@vdo/acts/proven-cache';
import type { SoleUse } from '@vdo/acts/sole-use';
import type { HttpTransport } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { createKubeClient } from '@vdo/kube/create-client';
import { createInformer } from '@vdo/kube/create-informer';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { createWatchGate } from '../stories/troubles.ts';

export const persistentVolume = (
  name: string,
  handle: string,
  policy: 'Delete' | 'Retain' = 'Delete',
): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: policy,
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: handle },
  },
});

/** An API server, and a program with a cache of PersistentVolumes, a Lease and attempts. Other people use `api`. */
export const createActsWorld = async () => {
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const sim = createKubeSim({ clock, random, logger: silentLogger });
  const api = createKubeClient({ transport: sim.handler, clock, qps: 0 });
  const watches = createWatchGate(clock);
  const sent: string[] = [];
  const transport: HttpTransport = (request) => {
    const [path, query = ''] = request.path.split('?');
    const isWatch = query.includes('watch=true');
    const isList = request.method === 'GET' && path?.endsWith('persistentvolumes') && !isWatch;
    sent.push(`${isWatch ? 'WATCH' : isList ? 'LIST' : request.method} ${path?.split('/').slice(3).join('/')}`);
    return watches.through(request, sim.handler);
  };
  const client = createKubeClient({ transport, clock, qps: 0 });
  const informer = createInformer({
    client,
    resource: persistentVolumes,
    indexers: { handle: ({ spec }) => (spec.csi ? [spec.csi.volumeHandle] : []) },
    clock,
    random,
    logger: silentLogger,
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  await clock.advance(10);
  let isHeld = true;
  const fence = {
    assertHeld: () => {
      if (!isHeld) throw new VdoError({ code: 'LeaseLost', message: 'the Lease is lost', remedy: 'Nothing.' });
    },
  };
  const log = createActLog();
  let sharing: VdoError | undefined;
  const soleUse: SoleUse = {
    renew: async () => {},
    assertAlone: () => {
      if (sharing) throw sharing;
    },
  };
  const deps = { client, clock, random, fence, log, soleUse };
  return {
    clock,
    api,
    informer,
    log,
    fence,
    watches,
    /** What the program asked the API server for since this was last read. */
    requests: () => sent.splice(0),
    proof: createCacheProof({ client, clock, informer, resource: persistentVolumes }),
    begin: (subject = 'it') => beginAttempt(deps, { act: 'destroy', subject }),
    /** By somebody who takes the finalizers off first. */
    removeByHand: async (name: string) => {
      await api.patch(persistentVolumes, { name }, { type: 'merge', body: { metadata: { finalizers: null } } });
      await api.delete(persistentVolumes, { name });
    },
    shareClusterId: () => {
      sharing = new VdoError({ code: 'ClusterIdShared', message: 'another cluster has the id', remedy: 'Nothing.' });
    },
    loseLease: () => {
      isHeld = false;
    },
    /** The outcome after some time: its value, or the error's code and message. */
    outcomeAfter: async <T>(ms: number, work: Promise<T>) => {
      const settled: { value?: T; error?: unknown } = {};
      work.then(
        (value) => {
          settled.value = value;
        },
        (error: unknown) => {
          settled.error = error;
        },
      );
      await clock.advance(ms);
      return settled;
    },
    close: async () => {
      stop.abort();
      await running;
    },
  };
};
