import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { destructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import { inParallel, rounded } from './process-cost.ts';

export interface VCenterAloneOptions {
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly volumeIds: readonly string[];
  readonly inFlight: number;
}

/**
 * How many volumes per second the vCenter deletes for a caller that does nothing else. govmomi's simulator runs one task of CNS at a
 * time and looks every 10 ms whether its disk is gone: no driver can be faster than that.
 */
export const deletionsPerSecond = async (options: VCenterAloneOptions): Promise<number> => {
  const { port, username, password, volumeIds, inFlight } = options;
  const vcenter = createVCenter({
    server: '127.0.0.1',
    port,
    credentials: async () => ({ username, password, version: '1' }),
    tls: { insecure: true },
    clock: createSystemClock(),
    random: createSystemRandom(),
    logger: silentLogger,
    metrics: createMetrics(),
  });
  const fence = { assertHeld: () => {} };
  const startedMs = performance.now();
  await inParallel(volumeIds.length, inFlight, (index) =>
    destructiveCalls(vcenter).deleteVolume(volumeIds[index] ?? '', { fence }),
  );
  const perSecond = rounded((1000 * volumeIds.length) / (performance.now() - startedMs));
  await vcenter.close();
  return perSecond;
};
