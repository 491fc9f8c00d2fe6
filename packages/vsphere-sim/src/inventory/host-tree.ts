import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Value } from '@vdo/vsphere/wire/schema';
import type { AboutInfo } from '@vdo/vsphere/wire/types/service';
import type { HostModel } from '../model.ts';
import type { HostSystem, TreeOf } from '../state/managed-types.ts';
import { entityTree } from './entity-tree.ts';

export interface HostPlace {
  readonly ref: MoRef;
  readonly parent: MoRef;
  readonly uuid: string;
  readonly datastores: readonly MoRef[];
  readonly networks: readonly MoRef[];
  readonly vms: readonly MoRef[];
  readonly about: Value<typeof AboutInfo>;
  readonly bootTime: Date;
}

/** All hosts are alike: 16 cores of 2.4 GHz, 128 GiB. */
export const hostCapacity = { cores: 16, mhz: 2_400, memoryBytes: 128n * 1024n ** 3n } as const;

export const hostTree = (model: HostModel, place: HostPlace) => {
  const runtime = {
    connectionState: model.connection ?? 'connected',
    powerState: model.connection === 'notResponding' ? 'unknown' : 'poweredOn',
    standbyMode: 'none',
    inMaintenanceMode: model.maintenance ?? false,
    bootTime: place.bootTime,
  };
  return {
    ...entityTree(model.name, place.parent),
    runtime,
    summary: {
      host: place.ref,
      hardware: {
        vendor: 'VDO',
        model: 'Simulated',
        uuid: place.uuid,
        memorySize: hostCapacity.memoryBytes,
        cpuModel: 'Simulated CPU @ 2.40GHz',
        cpuMhz: hostCapacity.mhz,
        numCpuPkgs: 2,
        numCpuCores: hostCapacity.cores,
        numCpuThreads: hostCapacity.cores * 2,
        numNics: 2,
        numHBAs: 1,
      },
      runtime,
      config: {
        name: model.name,
        port: 902,
        product: { ...place.about, name: 'VMware ESXi', productLineId: 'embeddedEsx', apiType: 'HostAgent' },
        vmotionEnabled: true,
        faultToleranceEnabled: false,
      },
      quickStats: { overallCpuUsage: 0, overallMemoryUsage: 0, uptime: 0 },
      overallStatus: 'green',
      rebootRequired: false,
    },
    vm: place.vms,
    datastore: place.datastores,
    network: place.networks,
  } satisfies TreeOf<typeof HostSystem>;
};
