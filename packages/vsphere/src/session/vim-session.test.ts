import { httpResponse } from '@vdo/base/http';
import { type Logger, silentLogger } from '@vdo/base/logger';
import { describe, expect, it } from 'vitest';
import { ScriptedFault } from '../testing/scripted-sdk.ts';
import { aboutInfo, createScriptedSession, serviceContent } from '../testing/scripted-session.ts';
import { cnsQueryVolume } from '../wire/methods/cns.ts';
import { retrievePropertiesEx } from '../wire/methods/property.ts';
import { currentTime, retrieveServiceContent } from '../wire/methods/session.ts';
import { moref } from '../wire/moref.ts';

const instance = moref('ServiceInstance', 'ServiceInstance');
const lost = () => new ScriptedFault({ $type: 'NotAuthenticated' });

describe('login', () => {
  it('happens once for callers that come together, and only when needed', async () => {
    const { session, sdk } = createScriptedSession();
    sdk.on(currentTime, () => new Date(0));
    await session.serviceContent();
    expect(sdk.count('Login')).toBe(0);
    await Promise.all(Array.from({ length: 5 }, () => session.vim.call(currentTime, { _this: instance })));
    await session.open();
    expect(sdk.count('Login')).toBe(1);
  });

  it('that is rejected is sent once, then suspended without a network call', async () => {
    const credentials = async () => ({ username: 'u@d', password: 'wrong', version: '1' });
    const { session, sdk, clock } = createScriptedSession({ credentials });
    await expect(session.open()).rejects.toMatchObject({ code: 'VCenterLoginRejected' });
    const sent = sdk.calls.length;
    await expect(session.open()).rejects.toMatchObject({ code: 'VCenterLoginSuspended' });
    expect(sdk.calls).toHaveLength(sent);
    expect(sdk.count('Login')).toBe(1);
    await clock.advance(15 * 60_000);
    await expect(session.open()).rejects.toMatchObject({ code: 'VCenterLoginRejected' });
    expect(sdk.count('Login')).toBe(2);
  });

  it('with a rotated Secret is tried at once', async () => {
    let version = 0;
    const credentials = async () => {
      version++;
      return { username: 'u@d', password: version === 1 ? 'wrong' : 'right', version: `${version}` };
    };
    const { session } = createScriptedSession({ credentials });
    await expect(session.open()).rejects.toMatchObject({ code: 'VCenterLoginRejected' });
    await expect(session.open()).resolves.toMatchObject({ key: 'key-1' });
  });

  it('of one caller that gives up goes on for the others', async () => {
    const { session, sdk } = createScriptedSession();
    const gone = new AbortController();
    const first = session.open({ signal: gone.signal });
    const second = session.open();
    gone.abort(new Error('gave up'));
    await expect(first).rejects.toThrow('gave up');
    await expect(second).resolves.toMatchObject({ key: 'key-1' });
    expect(sdk.count('Login')).toBe(1);
  });

  it.each([
    ['an ESXi host', { apiType: 'HostAgent' }, 'VCenterNotVSphere'],
    ['a vCenter that is too old', { apiVersion: '6.0' }, 'VCenterVersionUnsupported'],
  ])('is not sent to %s', async (_name, about, code) => {
    const { session, sdk } = createScriptedSession();
    sdk.on(retrieveServiceContent, () => ({ ...serviceContent, about: { ...aboutInfo, ...about } }));
    await expect(session.open()).rejects.toMatchObject({ code });
    expect(sdk.count('Login')).toBe(0);
  });
});

it('a vCenter a little older than any that is supported is met with one warning', async () => {
  const warnings: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) };
  const { session, sdk } = createScriptedSession({ logger });
  sdk.on(retrieveServiceContent, () => ({ ...serviceContent, about: { ...aboutInfo, apiVersion: '6.5' } }));
  sdk.on(currentTime, () => {
    if (sdk.count('Login') < 2) throw lost();
    return new Date(0);
  });
  await session.vim.call(currentTime, { _this: instance });
  expect(sdk.count('Login')).toBe(2);
  expect(warnings).toEqual([
    'this vCenter is older than the oldest supported version; operations that it does not support will fail',
  ]);
});

describe('API version', () => {
  it.each([
    ['6.7.3', 'urn:vim25/6.7.3'],
    ['8.0.3.0', 'urn:vim25/8.0.3.0'],
    ['9.1.0.0', 'urn:vim25/8.0.3.0'],
  ])('of a vCenter that offers %s is %s', async (apiVersion, action) => {
    const { session, sdk } = createScriptedSession();
    sdk.on(currentTime, () => new Date(0));
    sdk.on(retrieveServiceContent, () => ({ ...serviceContent, about: { ...aboutInfo, apiVersion } }));
    await session.vim.call(currentTime, { _this: instance });
    expect(sdk.calls.at(-1)?.headers['soapaction']).toBe(action);
  });

  it('of vSAN calls is the one that the vCenter publishes', async () => {
    const { session, sdk } = createScriptedSession();
    const list = '<namespaces><namespace><name>urn:vsan</name><version>8.0.3.1</version></namespace></namespaces>';
    const { session: newer, sdk: newerSdk } = createScriptedSession({
      transport: async (request) =>
        request.path === '/sdk/vsanServiceVersions.xml' ? httpResponse(200, list) : newerSdk.transport(request),
    });
    for (const one of [sdk, newerSdk]) one.on(cnsQueryVolume, () => ({})).on(currentTime, () => new Date(0));
    const query = { _this: moref('CnsVolumeManager', 'cns-volume-manager'), filter: {} };
    await session.vsan.call(cnsQueryVolume, query);
    expect(sdk.calls.at(-1)).toMatchObject({ path: '/vsanHealth', headers: { soapaction: 'urn:vsan' } });
    await newer.vsan.call(cnsQueryVolume, query);
    expect(newerSdk.calls.at(-1)).toMatchObject({ headers: { soapaction: 'urn:vsan/8.0.3.1' } });
    await newer.vsanTasks.call(currentTime, { _this: instance });
    expect(newerSdk.calls.at(-1)).toMatchObject({ path: '/sdk', headers: { soapaction: 'urn:vsan/8.0.3.1' } });
  });
});

describe('a lost session', () => {
  it('is replaced once for many callers, and each call is repeated', async () => {
    const { session, sdk } = createScriptedSession();
    const first = await session.open();
    sdk.on(currentTime, () => {
      if (sdk.count('Login') < 2) throw lost();
      return new Date(5);
    });
    const times = await Promise.all(
      Array.from({ length: 4 }, () => session.vim.call(currentTime, { _this: instance })),
    );
    expect(times.map((time) => time.getTime())).toEqual([5, 5, 5, 5]);
    expect(sdk.count('Login')).toBe(2);
    expect(await session.open()).not.toBe(first);
  });

  it('that stays lost is an error, not a loop', async () => {
    const { session, sdk } = createScriptedSession();
    sdk.on(currentTime, () => {
      throw lost();
    });
    await expect(session.vim.call(currentTime, { _this: instance })).rejects.toMatchObject({
      code: 'VCenterSessionLost',
      retry: 'backoff',
    });
    expect(sdk.count('Login')).toBe(2);
  });

  it('is noticed when the property collector refuses every property instead of the call', async () => {
    const { session, sdk } = createScriptedSession();
    const obj = moref('VirtualMachine', 'vm-1');
    const refused = [{ path: 'name', fault: { fault: { $type: 'NotAuthenticated' } } }];
    sdk.on(retrievePropertiesEx, () =>
      sdk.count('Login') < 2
        ? { objects: [{ obj, missingSet: refused }] }
        : { objects: [{ obj, propSet: [{ name: 'name', val: 'a' }] }] },
    );
    const args = { _this: serviceContent.propertyCollector, specSet: [], options: {} };
    expect(await session.vim.call(retrievePropertiesEx, args)).toMatchObject({
      objects: [{ propSet: [{ val: 'a' }] }],
    });
    expect(sdk.count('Login')).toBe(2);
  });
});

describe('an open session', () => {
  it('sends its cookie', async () => {
    const { session, sdk } = createScriptedSession();
    sdk.on(currentTime, () => new Date(0));
    await session.vim.call(currentTime, { _this: instance });
    expect(sdk.calls.at(-1)?.headers['cookie']).toBe('vmware_soap_session="scripted"');
  });

  it('is kept alive while idle, and only then', async () => {
    const { session, sdk, clock } = createScriptedSession();
    sdk.on(currentTime, () => new Date(0));
    await session.open();
    await clock.advance(9 * 60_000);
    await session.vim.call(currentTime, { _this: instance });
    await clock.advance(9 * 60_000);
    expect(sdk.count('CurrentTime')).toBe(1);
    await clock.advance(60_000);
    expect(sdk.count('CurrentTime')).toBe(2);
    await session.close();
    expect(clock.pending()).toBe(0);
  });

  it('is logged out once when closed, and opens no more', async () => {
    const { session, sdk } = createScriptedSession();
    await session.open();
    await Promise.all([session.close(), session.close()]);
    expect(sdk.count('Logout')).toBe(1);
    await expect(session.open()).rejects.toMatchObject({ code: 'Cancelled' });
  });

  it('that was never opened is closed without a call', async () => {
    const { session, sdk } = createScriptedSession();
    await session.close();
    expect(sdk.calls).toEqual([]);
  });
});
