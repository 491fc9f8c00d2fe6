import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { swapUuid } from '@vdo/base/uuid';
import { describe, expect, it } from 'vitest';
import { createScriptedSession } from '../testing/scripted-session.ts';
import { createContainerView, destroyView, retrievePropertiesEx } from '../wire/methods/property.ts';
import { findAllByDnsName, findAllByIp, findAllByUuid } from '../wire/methods/search.ts';
import { moref } from '../wire/moref.ts';
import { createNodeInventory } from './create-node-inventory.ts';
import { createDatacenters } from './datacenters.ts';
import { createPlaceStore } from './place-store.ts';

interface Vm {
  readonly id: string;
  readonly name: string;
  readonly uuid: string;
  readonly instanceUuid?: string;
  readonly hostName?: string;
  readonly ip?: string;
}

const uuidOf = (i: number) => `4210aabb-1122-4000-8000-${String(i).padStart(12, '0')}`;

/** A vCenter that holds these VMs and answers searches the way a real one does: whole names, exact case. */
const setup = (vms: readonly Vm[]) => {
  const { session, sdk, clock } = createScriptedSession();
  const refs = (found: readonly Vm[]) => found.map(({ id }) => moref('VirtualMachine', id));
  const propSet = ({ name, uuid, instanceUuid, hostName }: Vm) => [
    { name: 'name', val: name },
    { name: 'config.uuid', val: uuid },
    ...(instanceUuid ? [{ name: 'config.instanceUuid', val: instanceUuid }] : []),
    ...(hostName ? [{ name: 'guest.hostName', val: hostName }] : []),
  ];
  sdk
    .on(findAllByUuid, ({ uuid, instanceUuid }) =>
      refs(vms.filter((vm) => (instanceUuid ? vm.instanceUuid : vm.uuid) === uuid)),
    )
    .on(findAllByDnsName, ({ dnsName }) => refs(vms.filter((vm) => vm.hostName === dnsName)))
    .on(findAllByIp, ({ ip }) => refs(vms.filter((vm) => vm.ip === ip)))
    .on(createContainerView, () => moref('ContainerView', 'view'))
    .on(destroyView, () => undefined)
    .on(retrievePropertiesEx, ({ specSet }) => {
      const [spec] = specSet ?? [];
      const paths = new Set(spec?.propSet?.[0]?.pathSet);
      const asked = spec?.objectSet?.map(({ obj }) => obj) ?? [];
      const shown =
        asked[0]?.type === 'ContainerView' ? vms : vms.filter(({ id }) => asked.some((ref) => ref.value === id));
      return {
        objects: shown.map((vm) => ({
          obj: moref('VirtualMachine', vm.id),
          propSet: propSet(vm).filter(({ name }) => paths.has(name)),
        })),
      };
    });
  const places = createPlaceStore('vc.example', silentLogger);
  const random = createSeededRandom(1);
  const datacenters = createDatacenters(session, clock);
  return { sdk, nodes: createNodeInventory({ session, clock, random, logger: silentLogger, places, datacenters }) };
};

const instanceOf = (i: number) => `5010aabb-1122-4000-8000-${String(i).padStart(12, '0')}`;

const one: Vm = {
  id: 'vm-1',
  name: 'a',
  uuid: uuidOf(1),
  instanceUuid: instanceOf(1),
  hostName: 'Node-1.example.com',
  ip: '192.0.2.1',
};
const two: Vm = {
  id: 'vm-2',
  name: 'b',
  uuid: uuidOf(2),
  instanceUuid: instanceOf(2),
  hostName: 'node-2',
  ip: '192.0.2.2',
};

describe('resolving nodes', () => {
  it.each([
    ['the UUID', { uuid: uuidOf(1) }, 'vm-1'],
    ['the UUID in the other byte order', { uuid: swapUuid(uuidOf(1)).toUpperCase() }, 'vm-1'],
    ['the instance UUID, in any case', { instanceUuid: instanceOf(2).toUpperCase() }, 'vm-2'],
    ['the instance UUID where the UUID is unknown', { uuid: uuidOf(9), instanceUuid: instanceOf(1) }, 'vm-1'],
    ['the exact host name', { names: ['Node-1.example.com'] }, 'vm-1'],
    ['the short name of a guest that tells its full one', { names: ['node-1'] }, 'vm-1'],
    ['the full name of a guest that tells its short one', { names: ['NODE-2.example.com'] }, 'vm-2'],
    ['the address', { ips: ['198.51.100.1', '192.0.2.2'] }, 'vm-2'],
    ['the first key that finds one', { names: ['nobody'], ips: ['192.0.2.1'] }, 'vm-1'],
    ['the UUID rather than a name', { uuid: uuidOf(2), names: ['Node-1.example.com'] }, 'vm-2'],
  ])('by %s', async (_name, keys, expected) => {
    const { nodes } = setup([one, two]);
    const found = await nodes.resolve([{ key: 'n', ...keys }]);
    expect(found.get('n')).toMatchObject({ state: 'found', vm: { ref: { value: expected } } });
  });

  it('does not take a host of another domain for one of the same short name', async () => {
    const { nodes } = setup([one]);
    const found = await nodes.resolve([{ key: 'n', names: ['node-1.elsewhere.org'] }]);
    expect(found.get('n')?.state).toBe('not-found');
  });

  it.each([
    ['host name', { names: ['node-1.example.com'] }],
    ['address', { ips: ['192.0.2.1'] }],
  ])('does not take a VM of another UUID for the one that had its %s', async (_name, keys) => {
    const { nodes } = setup([one, two]);
    const found = await nodes.resolve([{ key: 'n', uuid: uuidOf(9), ...keys }]);
    expect(found.get('n')).toEqual({ state: 'not-found', searched: `uuid ${uuidOf(9)}` });
  });

  it('says which VMs answer to the same UUID', async () => {
    const { nodes } = setup([one, { ...two, uuid: one.uuid }]);
    const found = await nodes.resolve([{ key: 'n', uuid: one.uuid }]);
    expect(found.get('n')).toEqual({
      state: 'ambiguous',
      by: `uuid ${one.uuid}`,
      candidates: ['a (vm-1)', 'b (vm-2)'],
    });
  });

  it('lets a name decide between VMs of the same UUID', async () => {
    const { nodes } = setup([one, { ...two, uuid: one.uuid }]);
    const found = await nodes.resolve([{ key: 'n', uuid: one.uuid, names: ['node-2'] }]);
    expect(found.get('n')).toMatchObject({ state: 'found', vm: { name: 'b' } });
  });

  it('lets the instance UUID decide between clones of the same UUID', async () => {
    const { nodes } = setup([one, { ...two, uuid: one.uuid }]);
    const found = await nodes.resolve([{ key: 'n', uuid: one.uuid, instanceUuid: instanceOf(2) }]);
    expect(found.get('n')).toMatchObject({ state: 'found', vm: { name: 'b' } });
  });

  it('does not take a BIOS UUID for an instance UUID', async () => {
    const { nodes } = setup([one]);
    const found = await nodes.resolve([{ key: 'n', instanceUuid: one.uuid }]);
    expect(found.get('n')).toEqual({ state: 'not-found', searched: `instance UUID ${one.uuid}` });
  });

  it('reads many instance UUIDs in one pass', async () => {
    const vms = Array.from({ length: 40 }, (_, i) => ({ ...one, id: `vm-${i}`, instanceUuid: instanceOf(i) }));
    const { nodes, sdk } = setup(vms);
    const found = await nodes.resolve(vms.map(({ id, instanceUuid }) => ({ key: id, instanceUuid })));
    expect([...found].every(([key, one]) => one.state === 'found' && one.vm.ref.value === key)).toBe(true);
    expect(sdk.count('FindAllByUuid')).toBe(0);
  });

  it('asks for few UUIDs one by one, and reads many in one pass', async () => {
    const vms = Array.from({ length: 40 }, (_, i) => ({ ...one, id: `vm-${i}`, name: `v${i}`, uuid: uuidOf(i) }));
    const { nodes, sdk } = setup(vms);
    const queries = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `n${i}`, uuid: uuidOf(i) }));
    await nodes.resolve(queries(2));
    expect(sdk.count('FindAllByUuid')).toBe(4);
    const before = sdk.calls.length;
    const found = await nodes.resolve(queries(40));
    expect([...found.values()].every(({ state }) => state === 'found')).toBe(true);
    expect(sdk.count('FindAllByUuid')).toBe(4);
    expect(sdk.calls.length - before).toBe(4);
  });

  it('does nothing for no query', async () => {
    const { nodes, sdk } = setup([one]);
    expect(await nodes.resolve([])).toEqual(new Map());
    expect(sdk.count('RetrievePropertiesEx')).toBe(0);
  });
});
