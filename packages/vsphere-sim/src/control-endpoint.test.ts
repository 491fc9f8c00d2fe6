import { readBody } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { withControlEndpoint } from './control-endpoint.ts';
import { createVSphereSim } from './create-vsphere-sim.ts';
import { demoModel } from './demo-model.ts';

const setup = () => {
  const sim = createVSphereSim({ model: demoModel(), clock: createVirtualClock(), random: createSeededRandom(1) });
  const handler = withControlEndpoint(sim);
  const control = async (name: string, body: string) => {
    const reply = await handler({ method: 'POST', path: `/simulator/control/${name}`, headers: {}, body });
    return { status: reply.status, value: JSON.parse((await readBody(reply.body)).toString('utf8')) as unknown };
  };
  return { sim, handler, control };
};

describe('withControlEndpoint', () => {
  it('changes and reads the vCenter', async () => {
    const { control } = setup();
    expect(await control('powerOff', '["node-1"]')).toEqual({ status: 200, value: null });
    expect(await control('read', '["node-1", "runtime.powerState"]')).toEqual({ status: 200, value: 'poweredOff' });
    expect((await control('read', '["shared-vmfs", "summary"]')).value).toMatchObject({ freeSpace: '4398046511104' });
    expect(await control('addFault', '[{"method": "*", "effect": {"kind": "expire-session"}}]')).toEqual({
      status: 200,
      value: null,
    });
  });

  it.each([
    ['an unknown control', 'explode', '[]', 404],
    ['a property of every object', 'constructor', '[]', 404],
    ['an unknown VM', 'powerOff', '["nobody"]', 400],
    ['no JSON', 'powerOff', '{', 400],
    ['no array', 'powerOff', '"node-1"', 400],
  ])('refuses %s', async (_name, name, body, status) => {
    expect((await setup().control(name, body)).status).toBe(status);
  });

  it('passes everything else to the vCenter, which does not serve its control itself', async () => {
    const { sim, handler } = setup();
    const versions = { method: 'GET', path: '/sdk/vimServiceVersions.xml', headers: {} };
    expect((await handler(versions)).status).toBe(200);
    expect((await sim.handler({ method: 'POST', path: '/simulator/control/powerOff', headers: {} })).status).toBe(404);
  });
});
