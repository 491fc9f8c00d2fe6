import { aborted } from '@vdo/base/async/aborted';
import { sleep } from '@vdo/base/clock';
import { configMaps, type Event, events, nodes } from '@vdo/kube/types/core';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { afterEach, expect, test } from 'vitest';
import { createSimWorld, demoServer, type ProgramParts } from './create-sim-world.ts';
import { seedNodes } from './seed.ts';

let world: ReturnType<typeof createSimWorld>;
afterEach(() => world.stop());

const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi', version: '1' };
const note = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });

/** Logs in, then writes a ConfigMap at its end. */
const build = (parts: ProgramParts) => {
  const { identity, kube, clock, connect } = parts;
  const vcenter = connect({ ...parts, server: demoServer, credentials: async () => account });
  return {
    run: async (signal: AbortSignal) => {
      await vcenter.login();
      await sleep(clock, 3_600_000, { signal }).catch(() => undefined);
      await kube.create(configMaps, note(`end-of-${identity}`));
      await vcenter.close();
    },
  };
};
const endings = async () => (await world.client.list(configMaps)).items.map(({ metadata }) => metadata.name);

test('a program that is stopped does what it does at its end; one that is killed does nothing more', async () => {
  world = createSimWorld();
  const [first, second] = [world.start('one', build), world.start('two', build)];
  await world.until('both are logged in', () => world.vc().recorder.count('Login') === 2);
  first.stop();
  second.kill();
  await first.running;
  await world.clock.advance(60_000);
  expect(await endings()).toContain('end-of-one');
  expect(await endings()).not.toContain('end-of-two');
});

test('the wire sees the requests of each program, by the way they go', async () => {
  const seen = new Set<string>();
  world = createSimWorld({
    wire: (to, transport, identity) => (request) => {
      seen.add(`${identity} to ${to}`);
      return transport(request);
    },
  });
  const program = world.start('one', build);
  await world.until('it is logged in', () => seen.has('one to vcenter'));
  program.stop();
  await world.until('it has ended', async () => (await endings()).includes('end-of-one'));
  expect([...seen].sort()).toEqual(['one to kube', 'one to vcenter']);
});

test('a restored API server has what it had at the backup, and its clients go on', async () => {
  world = createSimWorld();
  await seedNodes(world.client, 1);
  const backup = world.backUp();
  await seedNodes(world.client, 2);
  world.restore(backup);
  const { items } = await world.client.list(nodes);
  expect(items.map(({ spec }) => spec?.providerID)).toEqual([`vsphere://${demoUuid(1)}`]);
});

test('a wait that is in vain says for what, and what was seen instead', async () => {
  world = createSimWorld();
  await expect(world.until('summer', () => false, { withinMs: 1_000, describe: async () => 'snow' })).rejects.toThrow(
    'never happened within 1 s: summer\nsnow',
  );
});

test('a word that nobody can look up, in an event or in the status, is told', async () => {
  world = createSimWorld();
  const { kube } = world.start('one', (parts) => ({ ...parts, run: aborted })).built;
  const involvedObject = { kind: 'Node', name: 'node-1' };
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'x', namespace: 'default' }, involvedObject };
  await kube.create(events, { ...event, type: 'Normal', reason: 'UpgradeStarted' } as Event);
  await kube.create(events, { ...event, metadata: { ...event.metadata, name: 'y' }, reason: 'Befuddled' } as Event);
  const vsphereDrivers = {
    group: 'vdo.vmware.com',
    version: 'v1beta1',
    plural: 'vspheredrivers',
    kind: 'VSphereDrivers',
  };
  const key = { name: 'cluster' };
  const status = { conditions: [{ type: 'Ready', status: 'False', reason: 'Bewildered' }] };
  const resource = { ...vsphereDrivers, namespaced: false };
  await kube.patch(resource, key, { type: 'merge', body: { status } }, { subresource: 'status' }).catch(() => {});
  expect(world.unexplained()).toEqual(['Befuddled', 'Bewildered']);
  await expect(world.stop()).rejects.toThrow('vdoctl explain does not know: Befuddled, Bewildered');
  world = createSimWorld();
});
