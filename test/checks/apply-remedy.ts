import { openFence } from '@vdo/base/fence';
import { namespaces, nodes } from '@vdo/kube/types/core';
import type { Resource } from '@vdo/kube/types/resource';
import { storageClasses, volumeAttachments } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { destructiveCalls } from '@vdo/vsphere/destructive/destructive-calls';
import { make } from '@vdo/vsphere/wire/schema';
import { ParaVirtualSCSIController } from '@vdo/vsphere/wire/types/vm-device';
import { type CheckTestbed, patchSpec } from './check-testbed.ts';
import { wordsOf } from './remedy-commands.ts';
import { nodeName } from './testbed-objects.ts';
import { runVdoctlRemedy } from './vdoctl-remedy.ts';

interface Command {
  readonly name: string;
  readonly flags: ReadonlyMap<string, string>;
  readonly args: readonly string[];
}

/** Flags that stand alone; the others take the next word. */
const switches = new Set([
  '-s',
  '-on',
  '-off',
  '-wait',
  '--overwrite',
  '--ignore-daemonsets',
  '--delete-emptydir-data',
]);

const parse = (line: string): Command => {
  const [, ...words] = wordsOf(line);
  const flags = new Map<string, string>();
  const args: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const [, flag, value] = /^(--?[a-z.-]+)=(.*)$/i.exec(word) ?? [];
    if (flag !== undefined) flags.set(flag, value ?? '');
    else if (switches.has(word) || !word.startsWith('-')) args.push(word);
    else flags.set(word, words[++i] ?? '');
  }
  return { name: args.shift() ?? '', flags, args };
};

const vmNamed = ({ vsphere }: CheckTestbed, { flags }: Command): string => {
  const uuid = flags.get('-vm.uuid');
  const found = [1, 2, 3, 4, 5].map(nodeName).find((name) => vsphere.control.read(name, 'config.uuid') === uuid);
  if (found === undefined) throw new Error(`no VM has the UUID ${uuid}`);
  return found;
};

const addController = (testbed: CheckTestbed, vm: string): void => {
  const { control } = testbed.vsphere;
  const devices = control.read(vm, 'config.hardware.device') as readonly object[];
  const controller = make(ParaVirtualSCSIController, {
    key: 1000 + devices.length,
    busNumber: 1,
    device: [],
    hotAddRemove: true,
    sharedBus: 'noSharing',
    scsiCtlrUnitNumber: 7,
  });
  control.write(vm, { 'config.hardware.device': [...devices, controller] });
};

const changeVm = (testbed: CheckTestbed, command: Command): void => {
  const { control } = testbed.vsphere;
  const [option, value] = (command.flags.get('-e') ?? '').split('=');
  if (option && value) control.setExtraConfig(vmNamed(testbed, command), { [option]: value });
  const uuid = command.flags.get('-uuid');
  if (uuid !== undefined) control.write(vmNamed(testbed, command), { 'config.uuid': uuid });
};

/** What govc would do, done to the simulated vCenter. */
const govc: Readonly<Record<string, (testbed: CheckTestbed, command: Command) => unknown>> = {
  'vm.power': (testbed, command) => {
    const on = command.args.includes('-on');
    testbed.vsphere.control.setPower(vmNamed(testbed, command), on ? 'poweredOn' : 'poweredOff');
  },
  'vm.change': changeVm,
  'vm.upgrade': (testbed, command) =>
    testbed.vsphere.control.write(vmNamed(testbed, command), {
      'config.version': `vmx-${command.flags.get('-version')}`,
    }),
  'device.scsi.add': (testbed, command) => addController(testbed, vmNamed(testbed, command)),
  'snapshot.remove': (testbed, command) =>
    testbed.vsphere.control.write(vmNamed(testbed, command), { snapshot: undefined }),
  'tags.category.create': ({ vsphere }, { args: [name = ''] }) =>
    vsphere.control.tag('/demo/datastore/local-a', name, 'made-with-the-category'),
  'tags.detach': ({ vsphere }, { flags, args: [tag = '', path = ''] }) =>
    vsphere.control.untag(path, flags.get('-c') ?? '', tag),
  'tags.attach': ({ vsphere }, { flags, args: [tag = '', path = ''] }) =>
    vsphere.control.tag(path, flags.get('-c') ?? '', tag),
  'volume.rm': ({ admin, settle }, { args: [id = ''] }) =>
    settle(destructiveCalls(admin).deleteVolume(id, { fence: openFence })),
  'datastore.maintenance.exit': ({ vsphere }, { args: [name = ''] }) =>
    vsphere.control.write(name, { 'summary.maintenanceMode': 'normal' }),
};

const merge = (into: Record<string, unknown>, patch: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  for (const [key, value] of Object.entries(patch)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (value === null) delete into[key];
    else
      into[key] = isObject ? merge({ ...(into[key] as object | undefined) }, value as Record<string, unknown>) : value;
  }
  return into;
};

const patchDrivers = (testbed: CheckTestbed, { flags }: Command): void => {
  const body = JSON.parse(flags.get('-p') ?? '{}');
  patchSpec(testbed, (spec) => {
    if (flags.get('--type') === 'merge') return merge({ ...spec } as Record<string, unknown>, body.spec);
    for (const { path, value } of body) {
      const [, index] = /^\/spec\/vcenters\/(\d+)\/datacenters\/-$/.exec(path) ?? [];
      spec.vcenters[Number(index)]?.datacenters.push(value);
    }
    return spec;
  });
};

const resources: Readonly<Record<string, Resource>> = {
  volumeattachment: volumeAttachments,
  node: nodes,
  namespace: namespaces,
  deployment: deployments,
  daemonset: daemonSets,
  sc: storageClasses,
};

/** `key=value` sets, `key-` removes. */
const pairOf = (word: string): readonly [string, string | null] => {
  const [key = '', value] = word.split('=');
  return value === undefined ? [key.replace(/-$/, ''), null] : [key, value];
};
const pairs = (words: readonly string[]): Readonly<Record<string, string | null>> =>
  Object.fromEntries(words.filter((word) => !switches.has(word)).map(pairOf));

/** What kubectl would do, done to the simulated cluster. Draining changes nothing that a check looks at. */
const kubectl: Readonly<Record<string, (testbed: CheckTestbed, command: Command) => unknown>> = {
  drain: () => undefined,
  uncordon: () => undefined,
  patch: (testbed, command) => {
    const [kind = '', name = ''] = command.args;
    if (kind === 'vspheredrivers') return patchDrivers(testbed, command);
    const body = JSON.parse(command.flags.get('-p') ?? '{}');
    return testbed.kube.patch(resources[kind] ?? nodes, { name }, { type: 'merge', body });
  },
  label: ({ kube }, { args: [kind = '', name = '', ...words] }) =>
    kube.patch(resources[kind] ?? nodes, { name }, { type: 'merge', body: { metadata: { labels: pairs(words) } } }),
  annotate: ({ kube }, { args: [kind = '', name = '', ...words] }) =>
    kube.patch(
      resources[kind] ?? nodes,
      { name },
      { type: 'merge', body: { metadata: { annotations: pairs(words) } } },
    ),
  delete: ({ kube }, { flags, args: [kind = '', name = ''] }) =>
    kube.delete(resources[kind] ?? nodes, { name, namespace: flags.get('-n') ?? '' }),
};

/** Runs the commands of a remedy, in order. */
export const applyRemedy = async (testbed: CheckTestbed, lines: readonly string[]): Promise<void> => {
  for (const line of lines) {
    if (line.startsWith('vdoctl ')) {
      await runVdoctlRemedy(testbed, wordsOf(line).slice(1));
      continue;
    }
    const command = parse(line);
    const act = (line.startsWith('govc') ? govc : kubectl)[command.name];
    if (!act) throw new Error(`nobody taught the test bed to run: ${line}`);
    await act(testbed, command);
  }
  if (lines.length === 0) throw new Error('the remedy has no command');
};
