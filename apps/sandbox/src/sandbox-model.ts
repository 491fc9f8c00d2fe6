import type { Random } from '@vdo/base/random';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { DatacenterModel, VmModel, VSphereModel } from '@vdo/vsphere-sim/model';
import type { Account } from './account.ts';

/** The accounts of the simulated vCenter. */
export interface SandboxAccounts {
  /** Has all privileges. */
  readonly administrator: Account;
  /** Has exactly the privileges that both drivers need. */
  readonly drivers: Account;
}

/** Random passwords for each sandbox, because all users of the machine can reach its vCenter. */
export const makeAccounts = (random: Random, passwordEnd = ''): SandboxAccounts => ({
  administrator: { username: 'administrator@vsphere.local', password: random.uuid() },
  drivers: { username: 'csi@vsphere.local', password: `${random.uuid()}${passwordEnd}` },
});

const extraNode = (index: number, { clusters }: DatacenterModel): VmModel => {
  const hosts = clusters.flatMap((cluster) => cluster.hosts);
  const host = hosts[index % hosts.length]?.name;
  return {
    name: `node-${index}`,
    folder: 'kubernetes',
    ...(host === undefined ? {} : { host }),
    uuid: `42120000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    guestHostName: `node-${index}.demo.example`,
    nics: [{ network: 'Kubernetes', ips: [`10.${10 + Math.floor(index / 200)}.1.${1 + (index % 200)}`] }],
    extraConfig: { 'disk.EnableUUID': 'TRUE' },
  };
};

/** The demo inventory, with at least five VMs, and at least as many as the cluster has nodes. */
export const sandboxModel = (nodeCount: number, { administrator, drivers }: SandboxAccounts): VSphereModel => {
  const demo = demoModel();
  const users = (demo.users ?? []).map((user) => ({
    ...user,
    password: user.username === drivers.username ? drivers.password : `${user.username} ${administrator.password}`,
  }));
  const model = { ...demo, administrator, users };
  const [first, ...others] = model.datacenters;
  if (!first) return model;
  const extra = Array.from({ length: Math.max(0, nodeCount - first.vms.length) }, (_, position) =>
    extraNode(first.vms.length + position + 1, first),
  );
  return { ...model, datacenters: [{ ...first, vms: [...first.vms, ...extra] }, ...others] };
};

/** `2 clusters, 6 hosts, 5 VMs, 3 datastores`. */
export const describeModel = ({ datacenters }: VSphereModel): string => {
  const sum = (count: (datacenter: DatacenterModel) => number) =>
    datacenters.reduce((total, datacenter) => total + count(datacenter), 0);
  return [
    `${sum(({ clusters }) => clusters.length)} clusters`,
    `${sum(({ clusters }) => clusters.flatMap(({ hosts }) => hosts).length)} hosts`,
    `${sum(({ vms }) => vms.length)} VMs`,
    `${sum(({ datastores }) => datastores.length)} datastores`,
  ].join(', ');
};
