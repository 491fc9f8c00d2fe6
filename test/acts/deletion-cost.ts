import { createSimTestbed } from '@vdo/csi/testing/sim-testbed';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import type { VolumeStore } from '@vdo/vsphere-sim/cns/volume-store';

export interface DeletionCost {
  readonly requests: number;
  readonly bytes: number;
  /** To vCenter. */
  readonly calls: number;
}

const deletions = 20;

/** What it costs to delete a volume of a cluster that has so many, watches and Leases aside. */
export const costOfDeletion = async (volumes: number): Promise<DeletionCost> => {
  const spent = { requests: 0, bytes: 0, calls: 0 };
  const testbed = createSimTestbed({
    wire: (to, transport) => async (request) => {
      const { path, method, body } = request;
      const reply = await transport(request);
      if (/[?&]watch=|\/leases|\/events/.test(path)) return reply;
      if (to === 'vcenter') spent.calls += /WaitForUpdatesEx/.test(String(body ?? '')) ? 0 : 1;
      else {
        spent.requests += 1;
        spent.bytes += method.length + path.length + (body?.length ?? 0);
      }
      const measured = async function* () {
        for await (const chunk of reply.body) {
          if (to === 'kube') spent.bytes += chunk.length;
          yield chunk;
        }
      };
      return { ...reply, body: measured() };
    },
  });
  try {
    await testbed.setUp();
    testbed.start();
    const names = Array.from({ length: deletions }, (_, index) => `doomed-${index}`);
    for (const name of names) await testbed.claim(name);
    for (const name of names) await testbed.bound(name);
    const [sample] = await testbed.persistentVolumes();
    const store = testbed.sim.volumes as VolumeStore;
    const [disk] = store.list();
    if (!sample || !disk) throw new Error('there is no volume');
    for (let index = deletions; index < volumes; index++) {
      const [name, id] = [`pv-${index}`, `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`];
      store.put({ ...disk, id, name, metadata: undefined });
      const { claimRef: _, ...spec } = sample.spec;
      const volume: PersistentVolume = {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name },
        spec: {
          ...spec,
          persistentVolumeReclaimPolicy: 'Retain',
          csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: id },
        },
      };
      await testbed.client.create(persistentVolumes, volume);
    }
    // What is told to vCenter of the new ones is not what is measured.
    await testbed.clock.advance(60_000);
    Object.assign(spent, { requests: 0, bytes: 0, calls: 0 });
    for (const name of names) await testbed.deleteClaim(name);
    const left = async () => (await testbed.client.list(persistentVolumes)).items.length;
    await testbed.until('all of them are gone', async () => (await left()) === volumes - deletions);
    const { requests, bytes, calls } = spent;
    return { requests: requests / deletions, bytes: bytes / deletions, calls: calls / deletions };
  } finally {
    await testbed.stop();
  }
};
