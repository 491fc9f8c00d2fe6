import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimHouse } from './testing/sim-house.ts';

/** The requests at which the program can die with an effect outside: every vCenter call, every write to the cluster. */
const matters = (to: 'kube' | 'vcenter', { method, path, body }: HttpRequest): boolean => {
  if (to === 'kube') return method !== 'GET' && !path.includes('/leases');
  return !String(body).includes('WaitForUpdatesEx');
};

const nameOf = (to: string, { method, path, body }: HttpRequest): string =>
  to === 'kube'
    ? `${method} ${path.split('?')[0]}`
    : (/<(?:\w+:)?Body>\s*<(?:\w+:)?(\w+)/.exec(String(body))?.[1] ?? path);

type House = ReturnType<typeof createSimHouse>;
let house: House | undefined;
afterEach(async () => {
  await house?.stop();
  house = undefined;
});

interface Crash {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** A house whose first replica dies at the given request. `seen` names the requests so far. */
const openHouse = async (crash: Crash | undefined, prepare: (opened: House) => Promise<void> = async () => {}) => {
  const seen: string[] = [];
  let victim: { kill(): void } | undefined;
  const wire =
    (to: 'kube' | 'vcenter', transport: HttpTransport): HttpTransport =>
    async (request) => {
      if (!victim || !matters(to, request)) return transport(request);
      const here = seen.length === crash?.at;
      seen.push(nameOf(to, request));
      if (here && crash?.when === 'before') {
        victim.kill();
        return new Promise(() => {});
      }
      const reply = await transport(request);
      if (here) victim.kill();
      return reply;
    };
  const opened = createSimHouse({ wire: (to, transport) => wire(to, transport) });
  house = opened;
  await opened.setUp();
  const first = opened.start('replica-1');
  await prepare(opened);
  victim = first;
  opened.start('replica-2');
  return { opened, seen };
};

const isGone = async (opened: House) =>
  (await opened.persistentVolumes()).length === 0 &&
  opened.sim.volumes.list().length === 0 &&
  (await opened.intents()).length === 0;

/** Creates a claim, sees it bound to the only disk, deletes it, sees everything gone. */
const liveThrough = async (crash: Crash | undefined): Promise<readonly string[]> => {
  const { opened, seen } = await openHouse(crash);
  await opened.claim('data');
  await opened.bound('data');
  const [volume] = await opened.persistentVolumes();
  expect(opened.sim.volumes.list().map(({ id }) => id)).toEqual([volume?.spec.csi?.volumeHandle]);
  await opened.deleteClaim('data');
  await opened.until('everything is gone', () => isGone(opened));
  return seen;
};

/** Deletes the claim as soon as vCenter was asked for its volume. */
const abandon = async (crash: Crash | undefined): Promise<readonly string[]> => {
  const { opened, seen } = await openHouse(crash);
  await opened.claim('data');
  await opened.until('vCenter was asked', () => opened.sim.recorder.count('CnsCreateVolume') > 0 || undefined);
  await opened.deleteClaim('data');
  await opened.until('everything is gone', async () => {
    const claim = await opened.getClaim('data');
    return claim === undefined && (await isGone(opened));
  });
  return seen;
};

/** Copies a claim; the temporary snapshot must not outlive the copying. */
const copy = async (crash: Crash | undefined): Promise<readonly string[]> => {
  const { opened, seen } = await openHouse(crash, async (unharmed) => {
    await unharmed.claim('original');
    await unharmed.bound('original');
  });
  await opened.claim('copy', 'vsphere', { dataSource: { kind: 'PersistentVolumeClaim', name: 'original' } });
  await opened.bound('copy');
  const ids = (await opened.persistentVolumes()).map(({ spec }) => spec.csi?.volumeHandle).sort();
  const disks = opened.sim.volumes.list();
  expect(disks.map(({ id }) => id).sort()).toEqual(ids);
  expect(disks.flatMap(({ snapshots }) => snapshots)).toEqual([]);
  await opened.until('no intent is left', async () => (await opened.intents()).length === 0);
  return seen;
};

/** Attaches a volume to a node, then detaches it. */
const attach = async (crash: Crash | undefined): Promise<readonly string[]> => {
  const { opened, seen } = await openHouse(crash, async (unharmed) => {
    await unharmed.registerNode(1);
    await unharmed.claim('data');
    await unharmed.bound('data');
  });
  const [volume] = await opened.persistentVolumes();
  await opened.attachment('a', volume?.metadata.name ?? '', 1);
  const holder = () => opened.sim.volumes.list()[0]?.attachedTo?.vm.value;
  await opened.until('the volume is attached', async () => (await opened.getAttachment('a'))?.status?.attached);
  expect(holder()).toBe(opened.sim.control.find('node-1', 'VirtualMachine').value);
  await opened.client.delete(volumeAttachments, { name: 'a' });
  await opened.until('the attachment is gone', async () => (await opened.getAttachment('a')) === undefined);
  expect(holder()).toBeUndefined();
  return seen;
};

const scenarios = {
  'copying a volume': copy,
  'attaching and detaching a volume': attach,

  'creating and deleting a volume': liveThrough,
  'a claim deleted while its volume is made': abandon,
};

describe.each(Object.entries(scenarios))('a crash during %s', (_name, scenario) => {
  it('leaves one disk per claim and none behind, at every call and write', { timeout: 120_000 }, async () => {
    const calls = await scenario(undefined);
    expect(calls.length).toBeGreaterThan(8);
    await house?.stop();
    for (let at = 0; at < calls.length; at++) {
      for (const when of ['before', 'after'] as const) {
        await scenario({ at, when }).catch((error) => {
          throw new Error(`crash ${when} request ${at} (${calls[at]} of ${calls.join(', ')})`, { cause: error });
        });
        await house?.stop();
      }
    }
  });
});
