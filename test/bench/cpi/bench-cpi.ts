import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystemClock } from '@vdo/base/clock';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import { type Node, nodes } from '@vdo/kube/types/core';
import { createTempFolder } from '../../harness/cleanup.ts';
import { startControlPlane } from '../../harness/control-plane.ts';
import { type LoggedProcess, spawnLogged } from '../../harness/process.ts';
import { startVcsim, type Vcsim } from '../../harness/vcsim.ts';
import { type Meter, startMeter } from './meter.ts';

export interface BenchOptions {
  readonly nodes: number;
  /** Added to each call to vCenter. */
  readonly latencyMs: number;
  /** How long to watch afterwards what a quiet cluster costs. */
  readonly idleSeconds: number;
  readonly timeoutSeconds: number;
  /** Words separated by blanks; `{conf}` and `{kubeconfig}` are filled in. */
  readonly command: string;
  readonly log: (line: string) => void;
}

const taint = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' } as const;

const inParallel = async (count: number, width: number, task: (index: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
};

const vmOf = (index: number): string => `DC0_C0_RP0_VM${index}`;

const prepareVCenter = async (vcsim: Vcsim, count: number): Promise<readonly string[]> => {
  const { govc } = vcsim;
  for (const [category, tag, object] of [
    ['k8s-region', 'r1', '/DC0'],
    ['k8s-zone', 'z1', '/DC0/host/DC0_C0'],
  ] as const) {
    await govc('tags.category.create', category);
    await govc('tags.create', '-c', category, tag);
    await govc('tags.attach', '-c', category, tag, object);
  }
  await inParallel(count, 4, (index) => {
    const ip = `10.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
    const guest = ['-e', `SET.guest.ipAddress=${ip}`, '-e', `SET.guest.hostName=node-${index}`];
    return govc('vm.change', '-vm', vmOf(index), ...guest);
  });
  const listed = await govc('object.collect', '-json', '-type', 'm', '/', 'config.uuid');
  return [...listed.matchAll(/"(?:_value|val)":\s*"([0-9a-f-]{36})"/g)].map(([, uuid = '']) => uuid);
};

const registerNodes = (client: KubeClient, uuids: readonly string[]): Promise<void> =>
  inParallel(uuids.length, 8, async (index) => {
    const name = `node-${index}`;
    const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { taints: [taint] } };
    await client.create(nodes, node);
    const unknown =
      'machineID bootID kernelVersion osImage containerRuntimeVersion kubeletVersion kubeProxyVersion operatingSystem architecture';
    const nodeInfo = { ...Object.fromEntries(unknown.split(' ').map((key) => [key, ''])), systemUUID: uuids[index] };
    const body = { status: { nodeInfo, conditions: [{ type: 'Ready', status: 'True' }] } };
    await client.patch(nodes, { name }, { type: 'merge', body }, { subresource: 'status' });
  });

const cpuSeconds = (process: LoggedProcess): number => {
  const fields = readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const peakRssMb = (process: LoggedProcess): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) / 1024;

const configuration = (vcsim: Vcsim, meter: Meter): string =>
  `global:\n  port: ${meter.port}\n  insecureFlag: true\nvcenter:\n  vc:\n    server: 127.0.0.1\n    user: ${vcsim.username}\n` +
  `    password: ${vcsim.password}\n    datacenters: [DC0]\nlabels:\n  region: k8s-region\n  zone: k8s-zone\n`;

const untilInitialised = async (client: KubeClient, ccm: LoggedProcess, options: BenchOptions): Promise<number> => {
  const startedMs = performance.now();
  for (;;) {
    await sleep(options.nodes > 2000 ? 1000 : 250);
    const { items } = await client.list(nodes, { resourceVersion: '0', limit: 0 });
    const done = items.filter(
      ({ spec }) => spec.providerID !== undefined && !spec.taints?.some(({ key }) => key === taint.key),
    ).length;
    if (done >= options.nodes || performance.now() - startedMs > options.timeoutSeconds * 1000) return done;
    if (ccm.exitCode() !== undefined) throw new Error(`the program ended:\n${ccm.tail(40)}`);
  }
};

const rounded = (value: number): number => Math.round(value * 100) / 100;

export interface BenchResult {
  readonly nodes: number;
  readonly initialised: number;
  readonly seconds: number;
  readonly callsPerNode: number;
  readonly vcenterCalls: number;
  readonly megabytesFromVCenter: number;
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly idle?: {
    readonly seconds: number;
    readonly cpuSeconds: number;
    readonly calls: Readonly<Record<string, number>>;
  };
}

/** Starts everything, lets the program initialise all nodes, and tells what it took. */
export const benchCpi = async (options: BenchOptions): Promise<BenchResult> => {
  const { log } = options;
  const folder = await createTempFolder('bench-cpi');
  const vms = options.nodes;
  const [controlPlane, vcsim] = await Promise.all([
    startControlPlane({ controllers: [] }),
    startVcsim({ vms, hosts: Math.max(4, Math.ceil(vms / 50)), tls: false }),
  ]);
  const meter = await startMeter({ port: vcsim.port, latencyMs: options.latencyMs });
  const client = await connectKube({
    kubeconfigPath: controlPlane.kubeconfigPath,
    env: {},
    clock: createSystemClock(),
    qps: 0,
  });
  try {
    log(`preparing ${vms} VMs`);
    const uuids = await prepareVCenter(vcsim, vms);
    if (uuids.length !== vms) throw new Error(`found ${uuids.length} UUIDs of ${vms} VMs`);
    log(`registering ${vms} nodes`);
    await registerNodes(client, uuids);
    await writeFile(folder.file('vsphere.conf'), configuration(vcsim, meter));
    const words = options.command
      .replace('{conf}', folder.file('vsphere.conf'))
      .replace('{kubeconfig}', controlPlane.kubeconfigPath)
      .split(' ');
    log('starting the program');
    meter.reset();
    const startedMs = performance.now();
    const ccm = spawnLogged(words[0] ?? '', words.slice(1), { name: 'ccm' });
    try {
      const initialised = await untilInitialised(client, ccm, options);
      const seconds = (performance.now() - startedMs) / 1000;
      const result = {
        nodes: vms,
        initialised,
        seconds: rounded(seconds),
        callsPerNode: rounded(meter.total() / vms),
        vcenterCalls: meter.total(),
        megabytesFromVCenter: rounded(meter.bytes() / 1e6),
        cpuSeconds: cpuSeconds(ccm),
        peakRssMb: Math.round(peakRssMb(ccm)),
        calls: Object.fromEntries(meter.counts),
      };
      if (options.idleSeconds === 0) return result;
      log(`watching ${options.idleSeconds} quiet seconds`);
      await sleep(5_000);
      meter.reset();
      const before = cpuSeconds(ccm);
      await sleep(options.idleSeconds * 1000);
      const idle = { seconds: options.idleSeconds, cpuSeconds: rounded(cpuSeconds(ccm) - before) };
      return {
        ...result,
        idle: { ...idle, calls: Object.fromEntries(meter.counts) },
        peakRssMb: Math.round(peakRssMb(ccm)),
      };
    } finally {
      await ccm.stop();
    }
  } finally {
    meter.close();
    await client.close();
    await Promise.all([controlPlane.stop(), vcsim.stop()]);
    await folder.remove();
  }
};
