import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@vdo/base/clock';
import { createSeededRandom } from '@vdo/base/random';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { describe, expect, it } from 'vitest';
import { partPath } from '../../harness/parts.ts';
import { run } from '../../harness/run.ts';

const script = fileURLToPath(new URL('pyvmomi-walk.py', import.meta.url));

/** Product version, and what a client finds published there. */
const releases = [
  ['6.7.3', '6.7.3', 'vsan/vSAN 6.7U3'],
  ['7.0.0', '7.0.0.0', 'vsan/7.0'],
  ['7.0.1', '7.0.1.0', 'vsan/vSAN 7.0U1'],
  ['7.0.2', '7.0.2.0', 'vsan/vSAN 7.0U2'],
  ['7.0.3', '7.0.3.0', 'vsan/vSAN 7.0U3'],
  ['8.0.0', '8.0.0.1', 'vsan/8.0.0.1'],
  ['8.0.1', '8.0.1.0', 'vsan/8.0.0.2'],
  ['8.0.2', '8.0.2.0', 'vsan/8.0.0.3'],
  ['8.0.3', '8.0.3.0', 'vsan/8.0.0.4'],
  ['9.0.0', '9.0.0.0', 'vsan/9.0.0.0'],
  ['9.1.0', '9.1.0.0', 'vsan/9.1.0.0'],
] as const;

// pyvmomi, unmodified, is the judge: it negotiates its version by itself, and what it tells was decoded by it.
describe('pyvmomi on vsphere-sim of release', () => {
  it.each(releases)('%s', async (version, api, vsan) => {
    const clock = createSystemClock();
    const model = { ...demoModel(), version, policies: [{ name: 'gold', datastores: ['shared-vmfs'] }] };
    const sim = createVSphereSim({ model, clock, random: createSeededRandom(1) });
    const server = await serveVSphereSim(sim, { clock });
    try {
      const args = [script, server.host, String(server.port), 'administrator@vsphere.local', 'obviously-fake'];
      const printed = await run('python3', args, { env: { PYTHONPATH: partPath('pyvmomi') } });
      expect(JSON.parse(printed)).toEqual({
        api,
        spoken: `"urn:vim25/${api}"`,
        vms: ['node-1', 'node-2', 'node-3', 'node-4', 'node-5'],
        power: 'poweredOn',
        devices: expect.any(Number),
        datastores: ['local-a', 'shared-vmfs', 'vsanDatastore'],
        watched: 'node-1',
        policies: ['gold', 'vSAN Default Storage Policy'],
        vsan,
        attached: 32,
        volume: ['from-python', 32],
        again: 'NotFound',
      });
      expect(sim.recorder.calls().filter(({ method }) => method === 'refused')).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
