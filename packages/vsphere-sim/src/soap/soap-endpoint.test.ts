import { type HttpTransport, readBody } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { currentTime } from '@vdo/vsphere/wire/methods/session';
import { powerOffVMTask } from '@vdo/vsphere/wire/methods/vm';
import { describe, expect, it } from 'vitest';
import { createVSphereSim } from '../create-vsphere-sim.ts';
import { demoModel } from '../demo-model.ts';
import { createRawClient } from '../testing/raw-client.ts';
import { managers } from './service-content.ts';

const setup = async () => {
  const clock = createVirtualClock();
  const sim = createVSphereSim({ model: demoModel(), clock, random: createSeededRandom(7) });
  const client = createRawClient(sim.handler);
  await client.login();
  const time = () => client.call(currentTime, { _this: managers.serviceInstance });
  return { sim, clock, client, time };
};

const post = async (handler: HttpTransport, body: string, path = '/sdk') => {
  const reply = await handler({ method: 'POST', path, headers: {}, body });
  return { status: reply.status, text: (await readBody(reply.body)).toString('utf8') };
};

describe('injected faults', () => {
  it('return the fault of the rule, as often as it specifies', async () => {
    const { sim, time } = await setup();
    sim.control.addFault({
      method: 'CurrentTime',
      times: 1,
      effect: { kind: 'fault', fault: { $type: 'HostCommunication' } },
    });
    await expect(time()).rejects.toMatchObject({ name: 'HostCommunication' });
    await expect(time()).resolves.toBeInstanceOf(Date);
  });

  it('delay on the clock', async () => {
    const { sim, clock, time } = await setup();
    sim.control.addFault({ method: '*', effect: { kind: 'latency', ms: 300 } });
    const startMs = clock.now();
    const asked = time();
    await clock.advance(300);
    expect((await asked).getTime()).toBe(startMs + 300);
  });

  it('end the session', async () => {
    const { sim, time } = await setup();
    sim.control.addFault({ method: 'CurrentTime', times: 1, effect: { kind: 'expire-session' } });
    await expect(time()).rejects.toMatchObject({ name: 'NotAuthenticated' });
  });

  it.each([
    ['before', 'poweredOn'],
    ['after', 'poweredOff'],
  ] as const)('break the connection %s the call is carried out', async (when, power) => {
    const { sim, clock, client } = await setup();
    sim.control.addFault({ method: 'PowerOffVM_Task', effect: { kind: 'drop', when } });
    const vm = sim.control.find('node-1');
    await expect(client.call(powerOffVMTask, { _this: vm })).rejects.toBeInstanceOf(HttpFailure);
    await clock.advance(1_000);
    expect(sim.control.read('node-1', 'runtime.powerState')).toBe(power);
  });

  it('answer like a proxy', async () => {
    const { sim } = await setup();
    sim.control.addFault({ method: 'Login', effect: { kind: 'http', status: 503, body: '<html>starting</html>' } });
    const body =
      '<Envelope><Body><Login xmlns="urn:vim25"><_this type="SessionManager">SessionManager</_this><userName>a</userName><password>b</password></Login></Body></Envelope>';
    expect(await post(sim.handler, body)).toEqual({ status: 503, text: '<html>starting</html>' });
  });

  it('are seen by the recorder', async () => {
    const { sim, time } = await setup();
    sim.recorder.clear();
    sim.control.addFault({
      method: 'CurrentTime',
      skip: 1,
      effect: { kind: 'fault', fault: { $type: 'NotSupported' } },
    });
    await time();
    await time().catch(() => {});
    expect(sim.recorder.calls().map(({ method, result, user }) => [method, result, user])).toEqual([
      ['CurrentTime', 'ok', 'administrator@vsphere.local'],
      ['CurrentTime', 'NotSupported', 'administrator@vsphere.local'],
    ]);
    expect(sim.recorder.count('CurrentTime')).toBe(2);
  });
});

describe('bad requests', () => {
  it.each([
    ['nothing', ''],
    ['no XML', 'hello'],
    ['a web page', '<!DOCTYPE html><html></html>'],
    ['half an envelope', '<Envelope><Body><CurrentTime>'],
    ['an entity bomb', '<!DOCTYPE x [<!ENTITY a "aaaa">]><Envelope><Body>&a;</Body></Envelope>'],
    ['an empty body', '<Envelope><Body/></Envelope>'],
    ['an unknown method', '<Envelope><Body><Explode xmlns="urn:vim25"/></Body></Envelope>'],
    ['a method without its arguments', '<Envelope><Body><Login xmlns="urn:vim25"/></Body></Envelope>'],
  ])('are answered with InvalidRequest: %s', async (_name, body) => {
    const { sim } = await setup();
    const reply = await post(sim.handler, body);
    expect(reply.status).toBe(500);
    expect(reply.text).toContain('InvalidRequestFault');
  });

  it('to unknown paths are not found', async () => {
    const { sim } = await setup();
    expect((await post(sim.handler, '', '/nowhere')).status).toBe(404);
  });

  it('report methods that an object does not have', async () => {
    const { sim, client } = await setup();
    const host = sim.control.find('esx-a1.demo.example');
    await expect(client.call(powerOffVMTask, { _this: host })).rejects.toMatchObject({ name: 'InvalidRequest' });
  });

  it.each([
    '/sdk',
    '/vsanHealth',
    '/pbm',
    '/sso-adminserver/sdk',
    '/sts/STSService',
    '/rest/com/vmware/cis/session',
    '/rest/com/vmware/cis/tagging/tag-association?~action=list-attached-tags-on-objects',
  ])('of random bytes get a clean error from %s', async (path) => {
    const { sim } = await setup();
    const random = createSeededRandom(3);
    const statuses = new Set<number>();
    for (let i = 0; i < 100; i++) {
      const body = Uint8Array.from({ length: Math.floor(random.next() * 300) }, () => Math.floor(random.next() * 256));
      const reply = await sim.handler({ method: 'POST', path, headers: {}, body });
      statuses.add(reply.status);
    }
    expect([...statuses].every((status) => status >= 400 && status <= 500)).toBe(true);
  });

  it('do not stop it, whatever they contain', async () => {
    const { sim, time } = await setup();
    const random = createSeededRandom(42);
    const good =
      '<Envelope><Header/><Body><FindAllByUuid xmlns="urn:vim25"><_this type="SearchIndex">SearchIndex</_this><uuid>x</uuid><vmSearch>true</vmSearch></FindAllByUuid></Body></Envelope>';
    const statuses = new Set<number>();
    for (let i = 0; i < 500; i++) {
      const at = Math.floor(random.next() * good.length);
      const noise = String.fromCharCode(32 + Math.floor(random.next() * 95)).repeat(Math.floor(random.next() * 3));
      const body = good.slice(0, at) + noise + good.slice(at + Math.floor(random.next() * 4));
      statuses.add((await post(sim.handler, body)).status);
    }
    expect([...statuses]).toEqual([500]);
    await expect(time()).resolves.toBeInstanceOf(Date);
  });
});
