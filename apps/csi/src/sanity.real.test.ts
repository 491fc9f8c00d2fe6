import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simOffers } from '@vdo/sim-world/sim-release';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainedSkips, notOffered, runSanity } from './testing/csi-sanity.ts';
import { startSanityTestbed } from './testing/sanity-testbed.ts';

/** Fewer means that something is no longer advertised. */
const passing = simOffers('policy-change') ? 76 : simOffers('snapshots') ? 70 : simOffers('growth') ? 45 : 40;

let folder: string;
let testbed: Awaited<ReturnType<typeof startSanityTestbed>>;

describe('csi-sanity', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csi-sanity-'));
    testbed = await startSanityTestbed(folder);
  });
  afterAll(async () => {
    await testbed?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('passes for controller and node, on real mounts', async () => {
    const { code, output, named } = await runSanity(folder, [
      `-csi.endpoint=${testbed.nodeEndpoint}`,
      `-csi.controllerendpoint=${testbed.controllerEndpoint}`,
      `-csi.mountdir=${join(folder, 'target')}`,
      `-csi.stagingdir=${join(folder, 'staging')}`,
      '-csi.testvolumesize=1073741824',
      // The node grows what the controller has grown, if that can.
      `-csi.testvolumeexpandsize=${simOffers('growth') ? 2147483648 : 1073741824}`,
    ]);
    expect([...named('failed'), ...named('panicked')], output.slice(-20_000)).toEqual([]);
    const explained = [...Object.keys(explainedSkips), ...notOffered()];
    expect(named('skipped').filter(({ reason }) => !explained.includes(reason))).toEqual([]);
    expect(named('passed').length).toBeGreaterThanOrEqual(passing);
    expect(code).toBe(0);
    expect(testbed.sim.volumes.list()).toEqual([]);
  });
});
