import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createSystemClock } from '@vdo/base/clock';
import { createHttpClient } from '@vdo/base/http-client';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import { afterEach, describe, expect, it } from 'vitest';
import { createRestClient } from '../rest/rest-client.ts';
import { createLoginGuard } from '../session/login-guard.ts';
import { createTokenService } from '../session/token-service.ts';
import { retrievePropertiesEx } from '../wire/methods/property.ts';
import { retrieveServiceContent } from '../wire/methods/session.ts';
import { moref } from '../wire/moref.ts';
import { createCallMetrics } from './call-metrics.ts';
import { createCookieJar } from './cookie-jar.ts';
import { createSoapClient } from './soap-client.ts';

const clock = createSystemClock();
const endpoint = { server: '127.0.0.1', port: 1 };
/** For those that never come to an end. */
const shortMs = 1_000;
/** Far more than any other takes, on a busy machine too. */
const longMs = 60_000;
const open = '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>';
const xml = { 'content-type': 'text/xml' };

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;
const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** A server that answers as it likes, and knows how much of it was taken. */
const serve = async (behave: Behaviour, timeoutMs = longMs) => {
  const sockets = new Set<Socket>();
  let requests = 0;
  let sent = 0;
  const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    requests += 1;
    request.resume();
    response.on('error', () => undefined);
    request.on('end', () => behave(response, request));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sent += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { transport, close } = createHttpClient({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  ending.push(async () => {
    await close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const metrics = createCallMetrics(createMetrics(), 'vc');
  const soap = createSoapClient({
    ...{ endpoint, transport, clock, metrics, timeoutMs },
    path: '/sdk',
    cookies: createCookieJar(),
    acceptsCookies: true,
    version: () => undefined,
  });
  const tokens = createTokenService({
    ...{ endpoint, transport, clock, timeoutMs, random: createSeededRandom(1) },
    domain: 'vsphere.local',
  });
  const credentials = { username: 'u@d', password: 'obviously-fake', version: '1' };
  const rest = createRestClient({
    ...{ endpoint, transport, clock, metrics, timeoutMs, tokens, random: createSeededRandom(1), logger: silentLogger },
    credentials: async () => credentials,
    guard: createLoginGuard({ clock, logger: silentLogger }),
    beforeLogin: async () => '8.0.3.0',
  });
  return {
    soap: () => soap.call(retrieveServiceContent, { _this: moref('ServiceInstance', 'ServiceInstance') }),
    list: () => soap.call(retrievePropertiesEx, { _this: moref('PropertyCollector', 'pc'), specSet: [], options: {} }),
    token: () => tokens.issue(credentials),
    rest: () => rest.request({ name: 'tags', method: 'GET', path: '/api/cis/tagging/tag' }),
    requests: () => requests,
    megabytes: () => (sent + [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)) / 2 ** 20,
  };
};

/** Writes as fast as it is read, for ever. */
const flood = (response: ServerResponse, head: string, piece: string): void => {
  const chunk = piece.repeat(Math.ceil(65_536 / piece.length));
  response.writeHead(200, xml);
  response.write(head);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

const failure = async (call: Promise<unknown>): Promise<VdoError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isVdoError(error)) throw new Error(`no named error: ${String(error)}`);
  expect(error.message.length).toBeLessThan(20_000);
  expect(error.code).not.toBe('Internal');
  return error;
};

const answer =
  (status: number, headers: Readonly<Record<string, string | string[]>>, body: string | Buffer): Behaviour =>
  (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

describe('a hostile vCenter', { timeout: longMs * 2 }, () => {
  it.each<[string, string, string]>([
    ['empty elements of a fault', `${open}<soapenv:Fault><detail><x>`, '<a/>'],
    ['text without end', `${open}<soapenv:Fault><faultstring>`, 'xxxxxxxx'],
    [
      'objects without end',
      `${open}<RetrievePropertiesExResponse><returnval>`,
      '<objects><obj type="V">v</obj></objects>',
    ],
  ])('that sends %s costs a bounded amount of memory', async (_, head, piece) => {
    const { list, megabytes } = await serve((response) => flood(response, head, piece));
    expect((await failure(list())).code).toBe('VCenterReplyTooLarge');
    // At a hundred bytes an element and one a character, what was taken weighs 128 MiB at most.
    expect(megabytes()).toBeLessThan(150);
  });

  it.each<[string, Behaviour, string]>([
    ['says nothing', () => undefined, 'DeadlineExceeded'],
    [
      'sends a byte now and then',
      (response) => {
        response.writeHead(200, xml);
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      },
      'DeadlineExceeded',
    ],
    [
      'sends a header now and then',
      ({ socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket?.write('x: y\r\n'), 50);
        socket?.on('close', () => clearInterval(timer));
      },
      'DeadlineExceeded',
    ],
  ])('that %s costs a bounded time', async (_, behave, code) => {
    const { soap, token, rest } = await serve(behave, shortMs);
    const codes = await Promise.all([soap(), token(), rest()].map(async (call) => (await failure(call)).code));
    // Each within the time that was given to it: else the test itself would run out of time.
    expect(codes).toEqual([code, code, code]);
  });

  it('that sends elsewhere is not followed', async () => {
    const { soap, token, rest, requests } = await serve(answer(302, { location: '/sdk' }, ''));
    for (const call of [soap, token, rest]) expect((await failure(call())).code).toMatch(/^VCenter/);
    expect(requests()).toBeLessThan(6);
  });

  it.each<[string, Behaviour, RegExp]>([
    ['nests without end', answer(200, xml, `${open}${'<a>'.repeat(100_000)}`), /Malformed/],
    [
      'expands entities',
      answer(200, xml, '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'),
      /Malformed|NotVSphere/,
    ],
    [
      'names a file as an entity',
      answer(200, xml, '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'),
      /Malformed|NotVSphere/,
    ],
    [
      'sends less than it says',
      (response) => {
        response.socket?.end('HTTP/1.1 200 OK\r\ncontent-type: text/xml\r\ncontent-length: 1000000\r\n\r\n<x>');
      },
      /Unreachable|Malformed|NotVSphere/,
    ],
    [
      'says two lengths',
      (response) => {
        response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 9\r\n\r\n<x></x>xx');
      },
      /Unreachable|NotVSphere/,
    ],
    [
      'sends a bomb of gzip',
      answer(200, { ...xml, 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(32 << 20))),
      /NotVSphere|Malformed/,
    ],
    [
      'sets cookies without end',
      answer(
        200,
        { ...xml, 'set-cookie': Array.from({ length: 4_000 }, (_, i) => `vmware_soap_session=${i}${'c'.repeat(100)}`) },
        '',
      ),
      /NotVSphere/,
    ],
    [
      'fails with a fault of megabytes',
      answer(
        500,
        xml,
        `${open}<soapenv:Fault><faultcode>x</faultcode><faultstring>${'y'.repeat(4 << 20)}</faultstring></soapenv:Fault></soapenv:Body></soapenv:Envelope>`,
      ),
      /VCenterFault/,
    ],
    ['sends what is no text', answer(200, xml, Buffer.alloc(1 << 20, 0xff)), /NotVSphere|Malformed/],
  ])('that %s is told by name', async (_, behave, code) => {
    const { soap } = await serve(behave);
    expect((await failure(soap())).code).toMatch(code);
  });

  it('cannot put keys of its own into what every object has', async () => {
    const odd = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype'];
    const elements = odd.map((name) => `<${name}>evil</${name}><${name}><polluted>yes</polluted></${name}>`).join('');
    const body = `${open}<soapenv:Fault><faultcode>x</faultcode><faultstring>s</faultstring><detail><OddFault>${elements}</OddFault></detail></soapenv:Fault></soapenv:Body></soapenv:Envelope>`;
    const { soap } = await serve(answer(500, xml, body));
    const { details } = await failure(soap());
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const data = details['data'] as Record<string, unknown>;
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    for (const name of odd.filter((one) => one !== '__proto__'))
      expect(data[name], name).toEqual(['evil', { polluted: 'yes' }]);
  });

  it('is bounded at its token service, too', async () => {
    const endless = await serve((response) => flood(response, '<x>', 'yyyy'));
    expect((await failure(endless.token())).code).toBe('VCenterReplyTooLarge');
    expect(endless.megabytes()).toBeLessThan(20);
    // Each of these begins what never ends: patterns that look ahead for the end would look a hundred thousand times.
    for (const piece of ['<faultcode', '<a:faultcode ', '<Assertion ', '<Fault>'.repeat(2), '<faultstring x="']) {
      const body = `<Fault></Fault>${piece.repeat(Math.floor(1_000_000 / piece.length))}`;
      const { token } = await serve(answer(500, xml, body));
      const startMs = performance.now();
      expect((await failure(token())).code).toMatch(/^VCenter/);
      expect(performance.now() - startMs).toBeLessThan(longMs / 4);
    }
  });

  it('is bounded at its REST interface, too', async () => {
    const session =
      (behave: Behaviour): Behaviour =>
      (response, request) =>
        request.url === '/api/session' ? answer(201, {}, '"token"')(response, request) : behave(response, request);
    const endless = await serve(session((response) => flood(response, '[', '[],')));
    expect((await failure(endless.rest())).code).toBe('VCenterReplyTooLarge');
    expect(endless.megabytes()).toBeLessThan(30);
    for (const body of ['['.repeat(1 << 20), '{"a":'.repeat(100_000), 'nonsense', `"${'x'.repeat(9 << 20)}"`]) {
      const { rest } = await serve(session(answer(200, {}, body)));
      expect((await failure(rest())).code).toMatch(/^VCenter/);
    }
    const odd = await serve(session(answer(200, {}, '{"__proto__":{"polluted":"yes"},"constructor":1}')));
    await odd.rest();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const huge = await serve(
      session(answer(503, {}, JSON.stringify({ messages: [{ default_message: 'z'.repeat(4 << 20) }] }))),
    );
    await failure(huge.rest());
  });
});
