import { sleep } from '@vdo/base/clock';
import { type HttpTransport, httpResponse } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock, type VirtualClock } from '@vdo/base/virtual-clock';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { describe, expect, it } from 'vitest';

type GivesUp = () => ReturnType<HttpTransport>;
const page =
  (status: number): GivesUp =>
  async () =>
    httpResponse(status, '<html>timeout</html>', { 'content-type': 'text/html' });
const reset: GivesUp = async () => {
  throw new HttpFailure('interrupted', 'connection reset');
};
const nothing: GivesUp = () => new Promise(() => {});

/** Something in between that does not wait for a reply longer than this. vCenter does not notice. */
const impatient =
  (clock: VirtualClock, patienceMs: number, giveUp: GivesUp) =>
  (next: HttpTransport): HttpTransport =>
  (request) => {
    const aborted = new Promise<never>((_resolve, reject) => {
      request.signal?.addEventListener('abort', () => reject(request.signal?.reason), { once: true });
    });
    const { signal: _unseen, ...forwarded } = request;
    let late = false;
    const inTime = next(forwarded).then((reply) => (late ? nothing() : reply));
    const givenUp = sleep(clock, patienceMs).then(() => {
      late = true;
      return giveUp();
    });
    for (const one of [inTime, givenUp]) one.catch(() => undefined);
    return Promise.race([inTime, aborted, givenUp]);
  };

const minute = 60_000;

describe.each([
  // Its own proxy answers 408 (github.com/vmware/pyvmomi/issues/923); nginx and HAProxy answer 504 after 60 and 50 s by default.
  ['a proxy with 408', 300_000, page(408), 1],
  ['a proxy with 504', 60_000, page(504), 1],
  ['a proxy with 504', 50_000, page(504), 1],
  ['a load balancer with a reset', 300_000, reset, 2],
  // Found by halving: 540, 270, 135 s.
  ['a firewall with silence', 240_000, nothing, 2],
] as const)('long polls that are ended by %s after %i ms', (_what, patienceMs, giveUp, again) => {
  it.each([540, 60] as const)(
    'are begun anew once or twice, not for ever, if they last %i s',
    async (maxWaitSeconds) => {
      const clock = createVirtualClock();
      const sim = createVSphereSim({ model: demoModel(), clock, random: createSeededRandom(1) });
      const vcenter = createVCenter({
        server: 'vcenter.example',
        credentials: async () => ({
          username: 'administrator@vsphere.local',
          password: 'obviously-fake',
          version: '1',
        }),
        transport: impatient(clock, patienceMs, giveUp)(sim.handler),
        clock,
        random: createSeededRandom(2),
        logger: silentLogger,
        metrics: createMetrics(),
      });
      const stop = new AbortController();
      let interruptions = 0;
      const onInterrupt = () => {
        interruptions += 1;
      };
      const name = 'node-1';
      const resolved = await vcenter.nodes.resolve([{ key: 'node', uuid: demoUuid(1) }]);
      expect(resolved.get('node')?.state).toBe('found');
      const running = vcenter.nodes.run(stop.signal, { maxWaitSeconds, onInterrupt });
      await clock.advance(60 * minute);
      const readBefore = sim.recorder.count('CreateFilter');
      expect(interruptions).toBeLessThanOrEqual(maxWaitSeconds * 1000 < patienceMs ? 0 : again);

      // From then on nothing is read again, and changes are heard of.
      await clock.advance(4 * 60 * minute);
      expect(sim.recorder.count('CreateFilter')).toBe(readBefore);
      const changed: string[] = [];
      vcenter.nodes.onChange((vm) => changed.push(vm.powerState));
      sim.control.powerOff(name);
      await clock.advance(1_000);
      expect(changed).toContain('poweredOff');
      stop.abort();
      await clock.advance(minute);
      await running;
    },
  );
});
