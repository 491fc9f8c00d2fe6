import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { describeModel, makeAccounts, sandboxModel } from '../sandbox-model.ts';
import { measureCalls } from './measure-calls.ts';
import type { SandboxVCenter } from './sandbox-vcenter.ts';

/** Nodes that run pods; the others exist only to be counted. */
export const fullNodes = 5;

/** The demo inventory behind a vCenter in this process, served on loopback, and the controls to change it. */
export const startSimulatedVCenter = async (options: {
  readonly nodeCount: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly passwordEnd?: string | undefined;
}): Promise<SandboxVCenter> => {
  const { nodeCount, clock, random } = options;
  const accounts = makeAccounts(random, options.passwordEnd);
  const model = sandboxModel(nodeCount, accounts);
  const sim = createVSphereSim({ model, clock, random });
  const { handler, meter } = measureCalls(sim.handler, clock);
  const server = await serveVSphereSim({ handler }, { clock });
  const vms = model.datacenters.flatMap((datacenter) => datacenter.vms).slice(0, nodeCount);
  return {
    summary: `${describeModel(model)} (simulated)`,
    host: server.host,
    port: server.port,
    tls: { thumbprints: [server.thumbprints.sha256] },
    account: accounts.drivers,
    topology: { region: 'k8s-region', zone: 'k8s-zone' },
    nodes: vms.map(({ name, uuid = '' }, index) => ({ name, uuid, hollow: index >= fullNodes })),
    simulated: { control: sim.control, volumes: sim.volumes, administrator: accounts.administrator, meter },
    stop: () => server.close(),
  };
};
