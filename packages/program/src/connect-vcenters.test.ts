import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import { createVCenter, type VCenterOptions } from '@vdo/vsphere/create-vcenter';
import { createLoginGuard } from '@vdo/vsphere/session/login-guard';
import { describe, expect, test } from 'vitest';
import { type ConnectVCentersDeps, connectVCenters } from './connect-vcenters.ts';
import { vcenterId } from './vcenter-id.ts';

const conf = `vcenter:
  a:
    server: vc.example.com
    caFile: /ca.pem
    user: a@vsphere.local
    password: obviously-fake-a
  b:
    server: vc.example.com
    port: 8443
    thumbprint: ${Array(20).fill('AB').join(':')}
    user: b@vsphere.local
    password: obviously-fake-b
`;

const setup = (given: Partial<ConnectVCentersDeps> & { readonly close?: () => Promise<void> } = {}) => {
  const { close = async () => {}, ...deps } = given;
  const clock = createVirtualClock();
  const asked: VCenterOptions[] = [];
  const { config } = readDriverConfig(conf, { unknownKeys: 'refuse' });
  const connected = connectVCenters(
    { config, caBundles: new Map([['/ca.pem', 'an authority']]) },
    {
      kube: { find: async () => undefined },
      loginGuard: createLoginGuard({ clock, logger: silentLogger }),
      userAgent: 'vsphere-thing/1',
      clock,
      random: createSeededRandom(1),
      logger: silentLogger,
      metrics: createMetrics(),
      connect: (options) => {
        asked.push(options);
        return { ...createVCenter({ ...options, transport: () => Promise.reject(new Error('no network')) }), close };
      },
      ...deps,
    },
  );
  return { clock, asked, ...connected };
};

describe('the vCenters of a configuration', () => {
  test('have the names of their hosts by default; other names can distinguish two ports of one host', () => {
    expect(setup().members.map(({ vcenter }) => vcenter.server)).toEqual(['vc.example.com', 'vc.example.com']);
    const { members } = setup({ nameOf: vcenterId });
    expect(members.map(({ vcenter }) => vcenter.server)).toEqual(['vc.example.com', 'vc.example.com:8443']);
  });

  test('use their own trust settings and account', async () => {
    const { asked, members } = setup();
    expect(asked.map(({ tls, port }) => [port, tls?.caBundle, tls?.thumbprints?.length])).toEqual([
      [443, 'an authority', 0],
      [8443, undefined, 1],
    ]);
    const accounts = await Promise.all(members.map(({ credentials }) => credentials({})));
    expect(accounts.map(({ username }) => username)).toEqual(['a@vsphere.local', 'b@vsphere.local']);
  });
});

describe('closing', () => {
  test('logs out of all, although one fails', async () => {
    let closed = 0;
    const close = () => (++closed === 1 ? Promise.reject(new Error('gone')) : Promise.resolve());
    await setup({ close }).close();
    expect(closed).toBe(2);
  });

  test('does not wait for a vCenter that never answers', async () => {
    const { clock, close } = setup({ close: () => new Promise(() => {}) });
    let over = false;
    const closing = close().then(() => {
      over = true;
    });
    await clock.advance(4_900);
    expect(over).toBe(false);
    await clock.advance(200);
    await closing;
    expect(over).toBe(true);
  });
});
