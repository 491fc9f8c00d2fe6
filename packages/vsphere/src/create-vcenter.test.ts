import { type HttpRequest, httpResponse } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createVCenter } from './create-vcenter.ts';
import { toVmFacts } from './inventory/vm-properties.ts';
import { createScriptedSession } from './testing/scripted-session.ts';
import { retrievePropertiesEx } from './wire/methods/property.ts';
import { moref } from './wire/moref.ts';

/** A login by SOAP and one by REST: the User-Agent of each request by path, and the sessions while they last and after. */
const useVCenter = async (userAgent?: string) => {
  const { sdk } = createScriptedSession();
  const host = moref('HostSystem', 'host-1');
  sdk.on(retrievePropertiesEx, () => ({ objects: [{ obj: host, propSet: [{ name: 'name', val: 'h1' }] }] }));
  const seen = new Map<string, string | undefined>();
  const transport = async (request: HttpRequest) => {
    seen.set(request.path, request.headers['user-agent']);
    return request.path.startsWith('/api/') ? httpResponse(200, '"token"') : sdk.transport(request);
  };
  const metrics = createMetrics();
  const sessions = async (): Promise<readonly string[]> =>
    (await metrics.expose()).body
      .split('\n')
      .filter((line) => line.startsWith('vdo_vcenter_sessions{'))
      .sort();
  const vcenter = createVCenter({
    server: 'vc.example',
    credentials: async () => ({ username: 'user@domain', password: 'right', version: '1' }),
    transport,
    clock: createVirtualClock(),
    random: createSeededRandom(1),
    logger: silentLogger,
    metrics,
    ...(userAgent === undefined ? {} : { userAgent }),
  });
  await vcenter.login();
  // What the tags are does not matter here: the REST session is opened for them.
  const vm = toVmFacts('vc.example', moref('VirtualMachine', 'vm-1'), { 'runtime.host': host });
  await vcenter.topology.locate([vm], { zone: 'z' }).catch(() => undefined);
  const during = await sessions();
  await vcenter.close();
  return { seen, during, after: await sessions() };
};

describe('the User-Agent', () => {
  it.each([
    ['is that of the program', 'vsphere-cpi/1.2.3', 'vsphere-cpi/1.2.3'],
    ['is vdo unless told', undefined, 'vdo'],
  ])('%s, on SOAP and REST alike', async (_name, given, expected) => {
    const { seen } = await useVCenter(given);
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['/sdk', '/api/session']));
    expect(new Set(seen.values())).toEqual(new Set([expected]));
  });
});

it('counts its sessions while they are open', async () => {
  const { during, after } = await useVCenter();
  const counted = (value: number) =>
    ['rest', 'soap'].map((kind) => `vdo_vcenter_sessions{server="vc.example",kind="${kind}"} ${value}`);
  expect(during).toEqual(counted(1));
  expect(after).toEqual(counted(0));
});
