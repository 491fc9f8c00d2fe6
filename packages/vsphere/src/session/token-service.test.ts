import { type HttpRequest, httpResponse } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { createTokenService } from './token-service.ts';

const assertion =
  '<saml2:Assertion xmlns:saml2="urn:x" ID="_1"><saml2:AssertionURIRef/> <saml2:Subject>a&amp;b</saml2:Subject></saml2:Assertion>';
const fault = (code: string) => `<S:Fault><faultcode>${code}</faultcode><faultstring>Not today</faultstring></S:Fault>`;
const envelope = (body: string) => `<S:Envelope xmlns:S="s"><S:Body>${body}</S:Body></S:Envelope>`;

const setup = (status: number, reply: string) => {
  const sent: HttpRequest[] = [];
  const service = createTokenService({
    endpoint: { server: 'vc.example', port: 443 },
    transport: async (request) => {
      sent.push(request);
      return httpResponse(status, reply);
    },
    clock: createVirtualClock(),
    domain: 'vsphere.local',
    random: createSeededRandom(1),
  });
  return { sent, issue: () => service.issue({ username: 'a<b@domain', password: 'p&w', version: '1' }) };
};

describe('issuing a token', () => {
  it('gives the assertion byte for byte, for an escaped name and password', async () => {
    const { issue, sent } = setup(200, envelope(`<w:RequestedSecurityToken>${assertion}</w:RequestedSecurityToken>`));
    expect(await issue()).toBe(assertion);
    expect(sent[0]).toMatchObject({
      path: '/sts/STSService/vsphere.local',
      headers: { soapaction: '"http://docs.oasis-open.org/ws-sx/ws-trust/200512/RST/Issue"' },
      body: expect.stringMatching(/>a&lt;b@domain<.*>p&amp;w</),
    });
  });

  it.each([
    ['a wrong password', 500, envelope(fault('ns0:FailedAuthentication')), { code: 'VCenterLoginRejected' }],
    [
      'another fault, with its words',
      500,
      envelope(fault('ns0:InvalidTimeRange')),
      { code: 'VCenterFault', message: expect.stringContaining('InvalidTimeRange: Not today') },
    ],
    ['services that are starting', 503, '<html/>', { code: 'VCenterBusy' }],
    ['a page of another server', 404, '<html/>', { code: 'VCenterNotVSphere' }],
    ['a reply without assertion', 200, envelope(''), { code: 'VCenterReplyMalformed' }],
    ['a reply cut short', 200, assertion.slice(0, -5), { code: 'VCenterReplyMalformed' }],
    ['a reply without end', 200, 'x'.repeat(2 * 1024 * 1024), { code: 'VCenterReplyTooLarge' }],
  ])('tells %s', async (_name, status, reply, expected) => {
    await expect(setup(status, reply).issue()).rejects.toMatchObject(expected);
  });
});
