import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystemClock } from '@vdo/base/clock';
import { createLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { Registration } from '@vdo/csi-proto/gen/pluginregistration-pb';
import { createCsiClient } from '@vdo/csi-proto/rpc/csi-client';
import { createOperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { offerRegistration } from './offer-registration.ts';

const clock = createSystemClock();
let registrationDir = '';
let stopping: AbortController;
let ended: Promise<void>;
const lines: string[] = [];

beforeEach(async () => {
  registrationDir = await mkdtemp(join(tmpdir(), 'vdo-reg-'));
  stopping = new AbortController();
  lines.length = 0;
  const logger = createLogger({ name: 'test', write: (line) => void lines.push(line) });
  const observer = createOperationObserver({ clock, logger, metrics: createMetrics() });
  const options = { registrationDir, socketPath: '/plugins/csi.sock', observer, pauseMs: 20, clock, logger };
  ({ ended } = await offerRegistration(options, stopping.signal));
});
afterEach(async () => {
  stopping.abort();
  await ended;
  await rm(registrationDir, { recursive: true, force: true });
});

const socket = () => join(registrationDir, 'csi.vsphere.vmware.com-reg.sock');
/** Inodes are used again at once; the time of creation is not. */
const identity = async () => (await stat(socket()).catch(() => undefined))?.ctimeMs;

/** As the kubelet does: each socket is asked once, and told once what became of it. */
const ask = async (pluginRegistered: boolean) => {
  const client = createCsiClient(Registration, `unix://${socket()}`);
  try {
    const info = await client.getInfo({});
    await client.notifyRegistrationStatus({ pluginRegistered, error: pluginRegistered ? '' : 'no labels yet' });
    return info;
  } finally {
    client.close();
  }
};
const nextSocket = async (before: number | undefined): Promise<number> => {
  for (;;) {
    const now = await identity();
    if (now !== undefined && now !== before) return now;
    await sleep(5);
  }
};

it('names the driver and its socket', async () => {
  expect(await ask(true)).toMatchObject({
    type: 'CSIPlugin',
    name: 'csi.vsphere.vmware.com',
    endpoint: '/plugins/csi.sock',
    supportedVersions: ['1.0.0'],
  });
});

it('keeps its socket while it is registered: a kubelet that restarts finds it', async () => {
  const before = await identity();
  await ask(true);
  await sleep(100);
  expect(await identity()).toBe(before);
  await ask(true);
  expect(lines.filter((line) => line.includes('registered with the kubelet'))).toHaveLength(2);
});

it('offers a new socket after each refusal, since a kubelet asks none twice', async () => {
  let known = await identity();
  for (let refusal = 0; refusal < 3; refusal++) {
    await ask(false);
    known = await nextSocket(known);
  }
  await ask(true);
  expect(lines.filter((line) => line.includes('no labels yet'))).toHaveLength(3);
});

it('leaves no socket behind, also when it ends between two', async () => {
  await ask(false);
  stopping.abort();
  await ended;
  expect(await identity()).toBeUndefined();
});
