import { createSystemClock } from '@vdo/base/clock';
import { serveHttp } from '@vdo/base/http-server';
import { createSeededRandom } from '@vdo/base/random';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import type { VmModel } from '@vdo/vsphere-sim/model';
import { startVcsim } from '../../harness/vcsim.ts';
import { inParallel } from '../csi/process-cost.ts';

/** A simulated vCenter with a VM for each node, one region and one zone. It speaks plain HTTP: a meter stands before it. */
export interface BenchVCenter {
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly datacenter: string;
  /** BIOS UUIDs, in the order of the nodes. */
  readonly uuids: readonly string[];
  close(): Promise<void>;
}

const account = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
const datacenter = 'DC0';
const hostsFor = (vms: number): number => Math.max(4, Math.ceil(vms / 50));
const ipOf = (index: number): string => `10.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

const envelope = (body: string): string =>
  `<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body>${body}</Body></Envelope>`;
const option = (key: string, value: string): string =>
  `<extraConfig><key>${key}</key><value xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:type="xsd:string">${value}</value></extraConfig>`;

/** Gives each VM the address and the name that its guest would report: one process of govc per VM would take minutes. */
const reportGuests = async (port: number, vms: readonly string[]): Promise<void> => {
  const post = async (body: string, cookie = ''): Promise<Response> => {
    const headers = { 'content-type': 'text/xml', soapaction: 'urn:vim25/8.0.3.0', cookie };
    const reply = await fetch(`http://127.0.0.1:${port}/sdk`, { method: 'POST', headers, body: envelope(body) });
    if (!reply.ok) throw new Error(`vcsim answered ${reply.status}: ${await reply.text()}`);
    await reply.arrayBuffer();
    return reply;
  };
  const { username, password } = account;
  const login = await post(
    `<Login xmlns="urn:vim25"><_this type="SessionManager">SessionManager</_this><userName>${username}</userName><password>${password}</password></Login>`,
  );
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  await inParallel(vms.length, 4, (index) => {
    const guest = option('SET.guest.ipAddress', ipOf(index)) + option('SET.guest.hostName', `node-${index}`);
    return post(
      `<ReconfigVM_Task xmlns="urn:vim25"><_this type="VirtualMachine">${vms[index]}</_this><spec>${guest}</spec></ReconfigVM_Task>`,
      cookie,
    );
  });
};

/** govmomi's simulator: takes some 40 ms for each VM to start. */
export const openVcsim = async (vms: number): Promise<BenchVCenter> => {
  const vcsim = await startVcsim({ vms, hosts: hostsFor(vms), tls: false, ...account });
  for (const [category, tag, object] of [
    ['k8s-region', 'r1', '/DC0'],
    ['k8s-zone', 'z1', '/DC0/host/DC0_C0'],
  ] as const) {
    await vcsim.govc('tags.category.create', category);
    await vcsim.govc('tags.create', '-c', category, tag);
    await vcsim.govc('tags.attach', '-c', category, tag, object);
  }
  const listed = await vcsim.govc('object.collect', '-json', '-type', 'm', '/', 'config.uuid');
  const found = [...listed.matchAll(/"(?:value|_value|val)":\s*"(vm-\d+|[0-9a-f-]{36})"/g)].map(
    ([, value = '']) => value,
  );
  const refs = found.filter((value) => value.startsWith('vm-'));
  const uuids = found.filter((value) => !value.startsWith('vm-'));
  if (refs.length !== vms || uuids.length !== vms)
    throw new Error(`govc told ${refs.length} references and ${uuids.length} UUIDs of ${vms} VMs`);
  await reportGuests(vcsim.port, refs);
  return { port: vcsim.port, ...account, datacenter, uuids, close: () => vcsim.stop() };
};

/** This project's simulator: ready at once, however many VMs. */
export const openSim = async (count: number): Promise<BenchVCenter> => {
  const uuids = Array.from({ length: count }, (_, i) => `42120000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`);
  const hosts = Array.from({ length: hostsFor(count) }, (_, i) => ({ name: `esx-${i}.example.com` }));
  const vms = uuids.map(
    (uuid, i): VmModel => ({ name: `node-${i}`, uuid, nics: [{ network: 'VM Network', ips: [ipOf(i)] }] }),
  );
  const sim = createVSphereSim({
    model: {
      datacenters: [
        {
          name: datacenter,
          tags: { 'k8s-region': 'r1' },
          clusters: [{ name: 'DC0_C0', tags: { 'k8s-zone': 'z1' }, hosts }],
          datastores: [{ name: 'vsanDatastore', type: 'vsan' }],
          vms,
        },
      ],
      administrator: account,
    },
    clock: createSystemClock(),
    random: createSeededRandom(1),
  });
  const server = await serveHttp({ handler: sim.handler, port: 0 });
  return { port: server.port, ...account, datacenter, uuids, close: () => server.close() };
};
