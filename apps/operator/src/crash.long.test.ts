import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { configMaps } from '@vdo/kube/types/core';
import { csiDrivers } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import type { Release } from '@vdo/releases/matrix';
import { afterEach, describe, expect, it } from 'vitest';
import { account, createSimHouse, namespace, type SimHouse } from './testing/sim-house.ts';

/** The requests at which the operator can die with an effect outside: every vCenter call, every write to the cluster. */
const matters = (to: 'kube' | 'vcenter', { method, path }: HttpRequest): boolean =>
  to === 'vcenter' || (method !== 'GET' && !path.includes('/leases') && !path.includes('/events'));

const nameOf = (to: string, { method, path, body }: HttpRequest): string =>
  to === 'kube'
    ? `${method} ${path.split('?')[0]}`
    : (/<(?:\w+:)?Body>\s*<(?:\w+:)?(\w+)/.exec(String(body))?.[1] ?? path);

interface Crash {
  readonly at: number;
  readonly when: 'before' | 'after';
}

let house: SimHouse | undefined;
afterEach(async () => {
  await house?.stop();
  house = undefined;
});

const release = (driver: 'cpi' | 'csi', version: string): Release => ({
  driver,
  distribution: 'Native',
  version,
  kubernetes: { min: '1.28', max: '1.37' },
  vsphere: { min: '6.7.3', max: '9.0' },
  layout: `native-${driver}-1`,
  images: { vdo: { repository: 'vdo/vdo', tag: version } },
});
const both = (...versions: readonly string[]) =>
  versions.flatMap((version) => [release('cpi', version), release('csi', version)]);
const spec = { updates: { matrix: { configMap: { name: 'matrix' } } } };

/** A house whose first operator dies at the given request after `prepare`; a second one takes over. */
const openHouse = async (crash: Crash | undefined, prepare: (opened: SimHouse) => Promise<void>) => {
  const seen: string[] = [];
  const never = new Promise<never>(() => undefined);
  let armed = false;
  let dead = false;
  // A killed process neither sends nor hears anything, also not of its Lease.
  const wire =
    (to: 'kube' | 'vcenter', transport: HttpTransport, process: string): HttpTransport =>
    async (request) => {
      if (process !== 'operator-1') return transport(request);
      if (dead) return never;
      if (!armed || !matters(to, request)) return transport(request);
      const here = seen.length === crash?.at;
      seen.push(nameOf(to, request));
      if (here && crash?.when === 'before') {
        dead = true;
        return never;
      }
      const reply = await transport(request);
      if (here) dead = true;
      return dead ? never : reply;
    };
  const opened = await createSimHouse({ wire, start: false });
  house = opened;
  await opened.joinNode('node-1');
  await opened.putSecret(account);
  await opened.publish(1, both('1.0.0'));
  opened.start('operator-1');
  await prepare(opened);
  armed = true;
  opened.start('operator-2');
  return { opened, seen };
};

const runs = (opened: SimHouse, version: string) =>
  opened.until(`both drivers at ${version}`, async () => {
    const status = (await opened.drivers())?.status;
    const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
    const drivers = (status?.drivers ?? []).filter(({ kind }) => kind !== 'CNI');
    return isReady && drivers.length === 2 && drivers.every((driver) => driver.version === version && !driver.target);
  });

const installed = async (opened: SimHouse) => {
  await opened.describe(spec);
  await runs(opened, '1.0.0');
};

const install = async (crash: Crash | undefined): Promise<readonly string[]> => {
  const { opened, seen } = await openHouse(crash, async () => undefined);
  await installed(opened);
  expect((await opened.kube.list(deployments, { namespace })).items).toHaveLength(2);
  return seen;
};

const upgrade = async (crash: Crash | undefined): Promise<readonly string[]> => {
  const { opened, seen } = await openHouse(crash, installed);
  await opened.publish(2, both('1.0.0', '1.0.1'));
  await runs(opened, '1.0.1');
  return seen;
};

const uninstall = async (crash: Crash | undefined): Promise<readonly string[]> => {
  const { opened, seen } = await openHouse(crash, installed);
  await opened.kube.delete(vsphereDrivers, { name: 'cluster' });
  await opened.until('the resource to go', async () => (await opened.drivers()) === undefined);
  for (const resource of [deployments, daemonSets])
    expect((await opened.kube.list(resource, { namespace })).items).toEqual([]);
  expect((await opened.kube.list(csiDrivers)).items).toEqual([]);
  const maps = (await opened.kube.list(configMaps, { namespace })).items.map(({ metadata }) => metadata.name);
  expect(maps.filter((name) => name?.startsWith('vdo-'))).toEqual([]);
  return seen;
};

const scenarios = { installing: install, upgrading: upgrade, uninstalling: uninstall };

describe.each(Object.entries(scenarios))('an operator that is killed while %s', (_name, scenario) => {
  it('is followed by one that finishes the work, at every call and write', { timeout: 3_600_000 }, async () => {
    const calls = await scenario(undefined);
    expect(calls.length).toBeGreaterThan(8);
    await house?.stop();
    for (let at = 0; at < calls.length; at++) {
      for (const when of ['before', 'after'] as const) {
        await scenario({ at, when }).catch((error) => {
          throw new Error(`killed ${when} request ${at} (${calls[at]} of ${calls.join(', ')})`, { cause: error });
        });
        await house?.stop();
      }
    }
  });
});
