import { createSystemClock } from '@vdo/base/clock';
import { openFence as fence } from '@vdo/base/fence';
import { type HttpTransport, httpResponse, readBody } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { destructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { connect, model } from './walk.ts';

/** A vCenter that behaves in ways which are rare and allowed. */
interface Place {
  readonly sim: VSphereSim;
  readonly vcenter: FullVCenter;
  /** Taken out of each reply. */
  strip: RegExp | undefined;
}

const assert = (condition: boolean, what: string): void => {
  if (!condition) throw new Error(what);
};

const cluster = { clusterId: 'c-1', vSphereUser: 'u', distribution: 'D' };
const createDisk = async ({ sim, vcenter }: Place, name: string): Promise<string> => {
  const spec = { name, capacityMb: 10n, datastores: [sim.control.find('vmfs')], cluster };
  return (await vcenter.cns.createBlockVolume(spec, { fence })).id;
};
const vmNamed = async ({ vcenter }: Place, name: string) => {
  const found = (await vcenter.nodes.resolve([{ key: 'n', names: [name] }])).get('n');
  if (found?.state !== 'found') throw new Error(`VM ${name} is not found`);
  return found.vm;
};

/** By what the vCenter does. Each throws if the client does not take it well. */
const oddities: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  'shows users as DOMAIN\\user': async ({ vcenter }) => {
    assert((await vcenter.userName()) === 'VSPHERE.LOCAL\\administrator', 'another user is named');
  },
  'says that a password has expired': async ({ sim }) => {
    const late = connect(sim.handler, 'old@vsphere.local');
    const failure = await late.login().catch((error: unknown) => error);
    await late.close();
    assert(isVdoError(failure, 'VCenterLoginRejected'), 'it is no rejected login');
    assert(/has expired/.test(String(failure)), 'the reason is not told');
  },
  'ends sessions': async ({ sim, vcenter }) => {
    await vcenter.login();
    sim.control.expireSessions();
    const missing = await vcenter.authorization.missingPrivileges([sim.control.find('DC0')], ['System.Read']);
    assert(missing.size === 0, 'the privileges of the former session are told');
  },
  'takes one volume at a time': async (place) => {
    const { sim, vcenter } = place;
    const vm = sim.control.find('node-1');
    const items = [];
    for (const name of ['a', 'b']) items.push({ volumeId: await createDisk(place, name), vm });
    const fault = { $type: 'InvalidArgument', invalidProperty: 'attachSpecs' };
    sim.control.addFault({ method: 'CnsAttachVolume', times: 1, effect: { kind: 'fault', fault } });
    const outcomes = await vcenter.cns.attach(items, { fence });
    assert(
      outcomes.every(({ ok }) => ok),
      'not all are attached',
    );
    await destructiveCalls(vcenter).detach(items, { fence });
  },
  'attaches a disk without a UUID': async (place) => {
    const item = { volumeId: await createDisk(place, 'c'), vm: place.sim.control.find('node-1') };
    place.strip = /<diskUUID>[^<]*<\/diskUUID>/g;
    const [outcome] = await place.vcenter.cns.attach([item], { fence });
    place.strip = /<uuid>[^<]*<\/uuid>/g;
    const disks = (await place.vcenter.disks.of([item.vm])).get(item.vm.value);
    place.strip = undefined;
    assert(outcome?.ok === false && isVdoError(outcome.error, 'VCenterReplyMalformed'), 'it counts as attached');
    const disk = disks?.find(({ volumeId }) => volumeId === item.volumeId);
    assert(disk !== undefined && disk.diskUuid === undefined, 'an attached disk has an empty UUID');
    await destructiveCalls(place.vcenter).detach([item], { fence });
  },
  'is busy with a vApp': async (place) => {
    const id = await createDisk(place, 'd');
    const fault = { $type: 'VAppTaskInProgress', task: place.sim.control.find('node-1') };
    place.sim.control.addFault({ method: 'CnsExtendVolume', times: 1, effect: { kind: 'fault', fault } });
    const failure = await place.vcenter.cns.extend(id, 20n, { fence }).catch((error: unknown) => error);
    assert(isVdoError(failure, 'VCenterBusy'), 'a subtype is not known by its base');
  },
  'has options without a value': async (place) => {
    const options = [{ key: 'guestinfo.unset' }, { key: 'disk.EnableUUID', value: 'TRUE' }];
    place.sim.control.write('node-1', { 'config.extraConfig': options });
    const { extraConfig } = await vmNamed(place, 'node-1');
    assert(extraConfig['disk.EnableUUID'] === 'TRUE', 'the other options are lost');
  },
  'sends an option without a key': async (place) => {
    place.strip = /<key>disk\.EnableUUID<\/key>/g;
    const { name } = await vmNamed(place, 'node-1');
    place.strip = undefined;
    assert(name === 'node-1', 'the rest of the VM is lost');
    const [value] = place.vcenter.health.unreadable();
    assert(value?.property === 'config.extraConfig' && /^VirtualMachine:vm-/.test(value.object), 'it is not noted');
  },
  'has VMs without guest data': async (place) => {
    place.strip = /<propSet><name>guest\.net<\/name>.*?<\/propSet>/gs;
    const { nics } = await vmNamed(place, 'node-1');
    place.strip = undefined;
    assert(nics.length === 0, 'there are network cards from nowhere');
  },
  'has VMs in vApps': async (place) => {
    const { ref, folder, resourcePool } = await vmNamed(place, 'node-2');
    assert(folder === undefined && resourcePool?.type === 'VirtualApp', 'it is in a folder');
    place.sim.control.deleteVm('node-2');
    const [existence] = await place.vcenter.existence.prove([{ ref, folder: resourcePool }]);
    assert(existence?.state === 'gone', 'it is not proven to be gone');
  },
  'has tags whose ids have colons': async ({ sim, vcenter }) => {
    sim.control.tag('/DC0/vm/node-1', 'zone', 'a');
    const vm = sim.control.find('node-1');
    const [tags] = [...(await vcenter.health.tags([vm])).values()];
    assert(tags?.[0]?.tag === 'a' && tags[0].category === 'zone', 'the tag is not read');
  },
  'wants an entry for each address of a share': async ({ sim, vcenter }) => {
    const netPermissions = [{ ips: '10.0.0.0/8', access: 'READ_WRITE' as const, rootSquash: true }];
    const spec = { name: 'f', capacityMb: 10n, datastores: [sim.control.find('vsan')], cluster, netPermissions };
    const { id } = await vcenter.cns.createFileVolume(spec, { fence });
    const addresses = ['10.1.0.1', '10.1.0.2'];
    const access = addresses.map((ips) => ({ ips, access: 'READ_ONLY' as const, rootSquash: true }));
    await vcenter.cns.grantAccess(id, access, { fence });
    const known = sim.volumes.get(id)?.netPermissions.map(({ ips }) => ips) ?? [];
    assert(
      addresses.every((address) => known.includes(address)),
      'not every address has access',
    );
  },
};

/** What the client does not take well, of what a vCenter of a release may do. */
export const oddWalk = async (release: string): Promise<readonly string[]> => {
  const clock = createSystemClock();
  const sim = createVSphereSim({ model: model(release), clock, random: createSeededRandom(1), taskLatencyMs: 0 });
  const transport: HttpTransport = async (request) => {
    const reply = await sim.handler(request);
    if (!place.strip) return reply;
    const text = (await readBody(reply.body)).toString('utf8').replace(place.strip, '');
    return httpResponse(reply.status, text, reply.headers);
  };
  const place: Place = { sim, vcenter: connect(transport), strip: undefined };
  const problems: string[] = [];
  for (const [what, meet] of Object.entries(oddities))
    try {
      await meet(place);
    } catch (error) {
      place.strip = undefined;
      if (!isVdoError(error, 'VCenterVersionUnsupported')) problems.push(`a vCenter that ${what}: ${String(error)}`);
    }
  await place.vcenter.close();
  return problems;
};
