import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { attachmentsOfSim } from '@vdo/sandbox/disks/attachments';
import { createLoopDisks } from '@vdo/sandbox/disks/loop-disks';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';

/** A vCenter with one node in one zone, whose disks are loop devices of this machine. */
export interface ZoneVCenter {
  readonly sim: VSphereSim;
  readonly zone: string;
  readonly node: { readonly name: string; readonly uuid: string; readonly address: string };
  readonly secret: { readonly name: string; readonly username: string; readonly password: string };
  /** As the spec names it. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Where the node's VM shows its guest its devices. */
  machine(): Promise<{ readonly sysfsRoot: string; readonly devRoot: string }>;
  stop(): Promise<void>;
}

interface ZoneOptions {
  /** `a`, `b`: ends all names. */
  readonly letter: string;
  /** An address of its own: the drivers know a vCenter by its server. */
  readonly host: string;
  /** Default: a free one. */
  readonly port?: number | undefined;
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
}

const addressOf = (letter: string): string => `10.10.${letter.charCodeAt(0)}.11`;

const modelOf = (letter: string, uuid: string, password: string): VSphereModel => ({
  administrator: { username: 'administrator@vsphere.local', password },
  datacenters: [
    {
      name: `dc-${letter}`,
      tags: { 'k8s-region': `region-${letter}` },
      clusters: [
        {
          name: `compute-${letter}`,
          tags: { 'k8s-zone': `zone-${letter}` },
          hosts: [{ name: `esx-${letter}1.example` }, { name: `esx-${letter}2.example` }],
        },
      ],
      datastores: [{ name: `vsan-${letter}`, type: 'vsan', capacityGb: 1_024 }],
      networks: ['Kubernetes'],
      vms: [
        {
          name: `node-${letter}`,
          folder: 'kubernetes',
          host: `esx-${letter}1.example`,
          uuid,
          nics: [{ network: 'Kubernetes', ips: [addressOf(letter)] }],
          extraConfig: { 'disk.EnableUUID': 'TRUE' },
        },
      ],
    },
  ],
});

export const startZoneVCenter = async ({
  letter,
  host,
  port = 0,
  folder,
  clock,
  random,
}: ZoneOptions): Promise<ZoneVCenter> => {
  const uuid = random.uuid();
  const name = `node-${letter}`;
  const password = `obviously-fake-${letter}`;
  const sim = createVSphereSim({ model: modelOf(letter, uuid, password), clock, random });
  const server = await serveVSphereSim(sim, { clock, host, port });
  const path = process.env['PATH'] ?? '';
  const disks = await createLoopDisks({ attachments: attachmentsOfSim(sim), uuidOf: () => uuid, folder, path, clock });
  const stopping = new AbortController();
  const following = disks.run(stopping.signal);
  const secret = { name: `vcenter-${letter}`, username: 'administrator@vsphere.local', password };
  const tls = { thumbprints: [server.thumbprints.sha256] };
  return {
    sim,
    zone: `zone-${letter}`,
    node: { name, uuid, address: addressOf(letter) },
    secret,
    spec: { server: host, port: server.port, credentialsSecret: secret.name, tls, datacenters: [`dc-${letter}`] },
    machine: () => disks.machine(name),
    stop: async () => {
      stopping.abort(new Error('the test is over'));
      await following;
      await server.close();
    },
  };
};
