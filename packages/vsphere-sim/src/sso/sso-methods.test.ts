import { readBody } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { encodeRequest } from '@vdo/vsphere/wire/envelope';
import { createLocalPersonUser, findPersonUsers, ssoLogin } from '@vdo/vsphere/wire/methods/sso';
import { moref } from '@vdo/vsphere/wire/moref';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';
import { describe, expect, it } from 'vitest';
import { createVSphereSim } from '../create-vsphere-sim.ts';
import { demoModel } from '../demo-model.ts';
import { createRawClient } from '../testing/raw-client.ts';

const path = '/sso-adminserver/sdk/vsphere.local';
const sessionManager = moref('SsoSessionManager', 'ssoSessionManager');
const discovery = moref('SsoAdminPrincipalDiscoveryService', 'principalDiscoveryService');
const everybody = { _this: discovery, criteria: { searchString: '', domain: 'vsphere.local' }, limit: 100 };

const setup = () => {
  const clock = createVirtualClock();
  const sim = createVSphereSim({ model: demoModel(), clock, random: createSeededRandom(7) });
  const post = async (to: string, body: string) => {
    const reply = await sim.handler({ method: 'POST', path: to, headers: {}, body });
    return {
      status: reply.status,
      cookie: reply.headers['set-cookie'] ?? '',
      text: (await readBody(reply.body)).toString('utf8'),
    };
  };
  const issue = (username: string, password: string) =>
    post(
      '/sts/STSService/vsphere.local',
      `<S:Envelope xmlns:S="s"><S:Header><wsse:UsernameToken><wsse:Username>${username}</wsse:Username><wsse:Password Type="t">${password}</wsse:Password></wsse:UsernameToken></S:Header><S:Body/></S:Envelope>`,
    );
  const loginWith = (assertion: string) => {
    const request = encodeRequest(wireTypes, ssoLogin, { args: { _this: sessionManager } });
    return post(path, request.replace('<soapenv:Body>', `<soapenv:Header>${assertion}</soapenv:Header><soapenv:Body>`));
  };
  const assertionIn = (text: string) => /<saml2:Assertion.*<\/saml2:Assertion>/.exec(text)?.[0] ?? '';
  const clientOf = async (username: string, password: string) => {
    const { cookie } = await loginWith(assertionIn((await issue(username, password)).text));
    return createRawClient(sim.handler, { path, registry: wireTypes, jar: { cookie: cookie.split(';')[0] ?? '' } });
  };
  return { sim, clock, issue, loginWith, assertionIn, clientOf };
};

describe('single sign-on', () => {
  it('issues tokens only for the correct password, and counts the wrong ones', async () => {
    const { issue, sim } = setup();
    expect((await issue('administrator@vsphere.local', 'obviously-fake')).status).toBe(200);
    const refused = await issue('administrator@vsphere.local', 'wrong');
    expect(refused).toMatchObject({ status: 500, text: expect.stringContaining('FailedAuthentication') });
    for (let i = 0; i < 4; i++) await issue('administrator@vsphere.local', 'wrong');
    await expect(createRawClient(sim.handler).login()).rejects.toMatchObject({ name: 'InvalidLogin' });
  });

  it('reads passwords with characters that XML escapes', async () => {
    const { issue, sim } = setup();
    sim.control.setAccount({ username: 'odd@vsphere.local', password: `a<b>&"'é` });
    expect((await issue('odd@vsphere.local', 'a&lt;b&gt;&amp;&quot;&apos;&#233;')).status).toBe(200);
  });

  it('accepts a token for five minutes, and none that it did not issue', async () => {
    const { issue, loginWith, assertionIn, clock } = setup();
    const token = assertionIn((await issue('administrator@vsphere.local', 'obviously-fake')).text);
    expect((await loginWith(token)).status).toBe(200);
    expect((await loginWith(token.replace(/ID="[^"]*"/, 'ID="_forged"'))).text).toContain('InvalidLogin');
    await clock.advance(5 * 60_000);
    expect((await loginWith(token)).text).toContain('InvalidLogin');
  });

  it('lets only administrators manage accounts', async () => {
    const { sim, clientOf } = setup();
    const admin = await clientOf('administrator@vsphere.local', 'obviously-fake');
    const _this = moref('SsoAdminPrincipalManagementService', 'principalManagementService');
    await admin.call(createLocalPersonUser, {
      _this,
      userName: 'new',
      userDetails: { description: 'x' },
      password: 'obviously-fake-new',
    });
    expect((await admin.call(findPersonUsers, everybody)).map(({ id }) => id.name)).toEqual([
      'administrator',
      'cpi',
      'csi',
      'new',
    ]);
    await createRawClient(sim.handler).login('new@vsphere.local', 'obviously-fake-new');
    const other = await clientOf('new@vsphere.local', 'obviously-fake-new');
    await expect(other.call(findPersonUsers, everybody)).rejects.toMatchObject({ name: 'NoPermission' });
    const stranger = createRawClient(sim.handler, { path, registry: wireTypes });
    await expect(stranger.call(findPersonUsers, everybody)).rejects.toMatchObject({ name: 'NotAuthenticated' });
  });
});
