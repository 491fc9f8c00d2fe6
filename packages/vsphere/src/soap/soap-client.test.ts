import { type HttpTransport, httpResponse } from '@vdo/base/http';
import { HttpFailure, type HttpFailureKind } from '@vdo/base/http-failure';
import { createMetrics } from '@vdo/base/metrics';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, it } from 'vitest';
import { encodeReply } from '../wire/envelope.ts';
import { currentTime, login } from '../wire/methods/session.ts';
import { moref } from '../wire/moref.ts';
import { wireTypes } from '../wire/wire-types.ts';
import { createCallMetrics } from './call-metrics.ts';
import { createCookieJar } from './cookie-jar.ts';
import { createSoapClient, type SoapClientOptions } from './soap-client.ts';

const _this = moref('ServiceInstance', 'ServiceInstance');
const good = encodeReply(wireTypes, currentTime, new Date(0));
const presented = { sha1: 'AA:BB', sha256: 'CC:DD', subject: 'vc.example' };

const setup = (transport: HttpTransport, overrides: Partial<SoapClientOptions> = {}) => {
  const clock = createVirtualClock();
  const metrics = createMetrics();
  const client = createSoapClient({
    endpoint: { server: 'vc.example', port: 8443 },
    transport,
    path: '/sdk',
    cookies: createCookieJar(),
    clock,
    metrics: createCallMetrics(metrics, 'vc.example'),
    version: () => undefined,
    certificate: async () => presented,
    ...overrides,
  });
  return { clock, metrics, call: (signal?: AbortSignal) => client.call(currentTime, { _this }, { signal }), client };
};

const failing =
  (kind: HttpFailureKind): HttpTransport =>
  async () => {
    throw new HttpFailure(kind, 'why');
  };

describe('what goes wrong on the way', () => {
  it.each<[HttpFailureKind, string, string]>([
    ['name-unresolved', 'VCenterNameUnresolved', 'vc.example'],
    ['refused', 'VCenterUnreachable', 'vc.example:8443'],
    ['unreachable', 'VCenterUnreachable', 'vc.example:8443'],
    ['timeout', 'VCenterUnreachable', 'vc.example:8443'],
    ['interrupted', 'VCenterUnreachable', 'vc.example:8443'],
    ['not-tls', 'VCenterNotVSphere', 'TLS'],
    ['malformed', 'VCenterNotVSphere', 'HTTP'],
    ['tls-untrusted', 'VCenterTlsUntrusted', 'CC:DD'],
    ['thumbprint-mismatch', 'VCenterThumbprintMismatch', 'CC:DD'],
  ])('%s is %s', async (kind, code, text) => {
    await expect(setup(failing(kind)).call()).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });

  it.each(['tls-untrusted', 'thumbprint-mismatch'] as const)('%s tells the exact field to set', async (kind) => {
    await expect(setup(failing(kind)).call()).rejects.toMatchObject({
      remedy: expect.stringMatching(/CC:DD.*tls\.thumbprints|tls\.thumbprints.*CC:DD/),
      details: { presented },
    });
  });

  it('an error that is none of the network passes unchanged', async () => {
    const defect = new TypeError('defect');
    const transport = async () => {
      throw defect;
    };
    await expect(setup(transport).call()).rejects.toBe(defect);
  });
});

describe('replies that are none', () => {
  const html = '<!DOCTYPE html><html><body>Welcome</body></html>';
  it.each([
    ['a web page', 200, html, 'VCenterNotVSphere'],
    ['a web page as an error', 500, html, 'VCenterBusy'],
    ['a proxy that did not wait', 408, html, 'VCenterBusy'],
    ['a redirect', 302, '', 'VCenterNotVSphere'],
    ['nothing there', 404, html, 'VCenterNotVSphere'],
    ['JSON', 200, '{"error":1}', 'VCenterNotVSphere'],
    ['a gateway that waits for vCenter', 503, html, 'VCenterBusy'],
    ['an empty body', 200, '', 'VCenterReplyMalformed'],
    ['half a reply', 200, good.slice(0, -30), 'VCenterReplyMalformed'],
    ['a DOCTYPE', 200, `<!DOCTYPE a [<!ENTITY b "c">]>${good}`, 'VCenterReplyMalformed'],
    ['the reply of another method', 200, good.replaceAll('CurrentTime', 'Logout'), 'VCenterReplyMalformed'],
  ])('%s', async (_name, status, body, code) => {
    const type = body.startsWith('<!DOCTYPE html') ? 'text/html' : 'text/xml';
    const reply = async () => httpResponse(status, body, { 'content-type': type });
    await expect(setup(reply).call()).rejects.toMatchObject({ code });
  });

  it('without end are cut off at the limit, and the exchange is ended', async () => {
    let produced = 0;
    let ended = false;
    async function* endless() {
      try {
        yield new TextEncoder().encode(good.slice(0, good.indexOf('<returnval>') + 11));
        for (;;) {
          produced += 65_536;
          yield new Uint8Array(65_536).fill(0x20);
        }
      } finally {
        ended = true;
      }
    }
    const reply = async () => ({ status: 200, headers: {}, body: endless() });
    await expect(setup(reply, { maxReplyBytes: 1_000_000 }).call()).rejects.toMatchObject({
      code: 'VCenterReplyTooLarge',
      retry: 'never',
    });
    expect(produced).toBeLessThan(1_200_000);
    expect(ended).toBe(true);
  });

  it('with an unread body let the socket go', async () => {
    let ended = false;
    async function* body() {
      try {
        yield new Uint8Array(10);
        yield new Uint8Array(10);
      } finally {
        ended = true;
      }
    }
    await expect(setup(async () => ({ status: 404, headers: {}, body: body() })).call()).rejects.toBeDefined();
    expect(ended).toBe(true);
  });
});

describe('time and cancelling', () => {
  const silent: HttpTransport = ({ signal }) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

  it('a call that takes too long ends with DeadlineExceeded', async () => {
    const { call, clock } = setup(silent, { timeoutMs: 5_000 });
    const result = expect(call()).rejects.toMatchObject({
      code: 'DeadlineExceeded',
      message: 'vCenter vc.example did not finish CurrentTime within 5 s',
    });
    await clock.advance(5_000);
    await result;
    expect(clock.pending()).toBe(0);
  });

  it('a caller that gives up gets its own reason back', async () => {
    const stop = new AbortController();
    const result = setup(silent).call(stop.signal);
    stop.abort(new Error('stopping'));
    await expect(result).rejects.toThrow('stopping');
  });
});

describe('requests', () => {
  it('with a password XML cannot carry fail before they are sent, without quoting it', async () => {
    let sent = 0;
    const { client } = setup(async () => {
      sent++;
      return httpResponse(200, good);
    });
    const args = { _this, userName: 'u', password: 'secret\u0000word' };
    await expect(client.call(login, args)).rejects.toMatchObject({
      code: 'InvalidArgument',
      message: expect.not.stringContaining('secret'),
    });
    expect(sent).toBe(0);
  });

  it('are counted by method and result', async () => {
    const { call, metrics } = setup(async () => httpResponse(200, good));
    await call();
    const { body } = await metrics.expose();
    expect(body).toContain('vdo_vcenter_calls_total{server="vc.example",method="CurrentTime",result="ok"} 1');
    expect(body).toContain('vdo_vcenter_call_duration_seconds_count{server="vc.example",method="CurrentTime"} 1');
  });
});

describe('the cookie jar', () => {
  it.each([
    ['quoted', 'vmware_soap_session="abc-1"; Path=/; HttpOnly', 'vmware_soap_session="abc-1"', 'abc-1'],
    ['bare', 'vmware_soap_session=abc; Secure', 'vmware_soap_session=abc', 'abc'],
    ['among others', 'a=b; Path=/\nvmware_soap_session=abc; Secure\nc=d', 'vmware_soap_session=abc', 'abc'],
    ['absent', 'a=b', undefined, undefined],
  ])('reads a cookie: %s', (_name, setCookie, header, value) => {
    const jar = createCookieJar();
    jar.accept({ 'set-cookie': setCookie });
    expect([jar.header(), jar.value()]).toEqual([header, value]);
  });

  it('keeps the cookie over replies that set none', () => {
    const jar = createCookieJar();
    jar.accept({ 'set-cookie': 'vmware_soap_session=abc' });
    jar.accept({});
    expect(jar.value()).toBe('abc');
    jar.clear();
    expect(jar.header()).toBeUndefined();
  });
});
