import { Controller, VolumeCapability_AccessMode_Mode } from '@vdo/csi-proto/gen/csi-pb';
import { createCsiClient } from '@vdo/csi-proto/rpc/csi-client';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { LoggedProcess } from '../../harness/process.ts';
import type { BenchTestbed } from './bench-testbed.ts';
import { cpuSeconds, inParallel, rounded } from './process-cost.ts';
import { deletionsPerSecond } from './vcenter-alone.ts';

export interface PhaseResult {
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly callsPerVolume: number;
  readonly cpuSeconds: number;
  readonly failed: readonly string[];
  readonly calls: Readonly<Record<string, number>>;
}

export interface VolumesOptions {
  readonly testbed: BenchTestbed;
  readonly controller: LoggedProcess;
  readonly volumes: number;
  readonly inFlight: number;
}

export type Phase = 'create' | 'attach' | 'detach' | 'delete';

const volumeCapability = {
  accessMode: { mode: VolumeCapability_AccessMode_Mode.SINGLE_NODE_WRITER },
  accessType: { case: 'mount' as const, value: { fsType: 'ext4' } },
};

export interface VolumesResult {
  readonly phases: Readonly<Record<Phase, PhaseResult>>;
  /** What the vCenter gives a caller that does nothing but delete. */
  readonly vcenterAlone: { readonly deletionsPerSecond: number };
}

/** As the external provisioner writes it after a creation, and removes it after the deletion. */
const persistentVolume = (index: number, volumeHandle: string): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `pvc-${index}`, annotations: { 'pv.kubernetes.io/provisioned-by': 'csi.vsphere.vmware.com' } },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Delete',
    csi: { driver: 'csi.vsphere.vmware.com', volumeHandle, fsType: 'ext4' },
  },
});

/**
 * Creates, attaches, detaches and deletes so many volumes over the socket, and tells what each phase took. Between the phases it writes
 * the PersistentVolumes that the sidecars would.
 */
export const benchVolumes = async (options: VolumesOptions): Promise<VolumesResult> => {
  const { testbed, controller, volumes, inFlight } = options;
  const client = createCsiClient(Controller, testbed.target);
  const patient = { timeoutMs: 120_000 };
  const ids: string[] = [];
  const nodeOf = (index: number) => testbed.nodeIds[index % testbed.nodeIds.length] ?? '';
  const idOf = (index: number) => ids[index] ?? '';
  const work: Readonly<Record<Phase, (index: number) => Promise<unknown>>> = {
    create: async (index) => {
      const request = {
        name: `pvc-${index}`,
        capacityRange: { requiredBytes: 1n << 30n, limitBytes: 0n },
        volumeCapabilities: [volumeCapability],
      };
      ids[index] = (await client.createVolume(request, patient)).volume?.volumeId ?? '';
    },
    attach: (index) => {
      const request = { volumeId: idOf(index), nodeId: nodeOf(index), volumeCapability };
      return client.controllerPublishVolume(request, patient);
    },
    detach: (index) => client.controllerUnpublishVolume({ volumeId: idOf(index), nodeId: nodeOf(index) }, patient),
    delete: (index) => client.deleteVolume({ volumeId: idOf(index) }, patient),
  };

  const measure = async (phase: Phase): Promise<PhaseResult> => {
    const latencies: number[] = [];
    const failed: string[] = [];
    testbed.meter.reset();
    const [startedMs, cpuBefore] = [performance.now(), cpuSeconds(controller)];
    await inParallel(volumes, inFlight, async (index) => {
      const beganMs = performance.now();
      await work[phase](index).catch((error: Error) => failed.push(error.message));
      latencies.push(performance.now() - beganMs);
    });
    const seconds = (performance.now() - startedMs) / 1000;
    if (failed.length > 0) console.error(testbed.vcenterLog());
    latencies.sort((a, b) => a - b);
    return {
      seconds: rounded(seconds),
      perSecond: rounded(volumes / seconds),
      p50Ms: Math.round(latencies[volumes >> 1] ?? 0),
      p99Ms: Math.round(latencies[Math.floor(volumes * 0.99)] ?? 0),
      callsPerVolume: rounded(testbed.meter.total() / volumes),
      cpuSeconds: rounded(cpuSeconds(controller) - cpuBefore),
      failed: [...new Set(failed)],
      calls: Object.fromEntries(testbed.meter.counts),
    };
  };

  try {
    const results: Partial<Record<Phase, PhaseResult>> = {};
    results.create = await measure('create');
    await inParallel(volumes, inFlight, (index) =>
      testbed.kube.create(persistentVolumes, persistentVolume(index, idOf(index))),
    );
    for (const phase of ['attach', 'detach', 'delete'] as const) results[phase] = await measure(phase);
    await inParallel(volumes, inFlight, (index) => testbed.kube.delete(persistentVolumes, { name: `pvc-${index}` }));
    ids.length = 0;
    await inParallel(volumes / 4, inFlight, work.create);
    const alone = { port: testbed.meter.port, ...testbed.account, volumeIds: ids, inFlight };
    return {
      phases: results as Readonly<Record<Phase, PhaseResult>>,
      vcenterAlone: { deletionsPerSecond: await deletionsPerSecond(alone) },
    };
  } finally {
    client.close();
  }
};
