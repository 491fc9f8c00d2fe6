import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type PersistentVolume, persistentVolumes } from '@vdo/kube/types/core';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../harness/cleanup.ts';
import { spawnLogged } from '../../harness/process.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { openBenchHouse } from './bench-house.ts';
import { inParallel, rssMb } from './process-cost.ts';

// BENCH_PVS=2000 npm run bench:csi -- memory       fewer PersistentVolumes
const { BENCH_PVS = '10000' } = process.env;
const bundle = fileURLToPath(new URL('../../../apps/csi/dist/main.js', import.meta.url));

const persistentVolume = (index: number): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `pvc-bench-${index}`, finalizers: ['external-provisioner.volume.kubernetes.io/finalizer'] },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName: 'vsphere',
    csi: {
      driver: 'csi.vsphere.vmware.com',
      volumeHandle: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      fsType: 'ext4',
      volumeAttributes: { type: 'vSphere CNS Block Volume' },
    },
  },
});

test('the controller is small, idle and with many PersistentVolumes', { timeout: 1_800_000 }, async () => {
  const house = await openBenchHouse({ nodes: 3, latencyMs: 0 });
  try {
    const idle = await house.startController();
    await sleep(5_000);
    const idleRssMb = rssMb(idle);
    await idle.stop();
    await inParallel(Number(BENCH_PVS), 16, (index) => house.kube.create(persistentVolumes, persistentVolume(index)));
    const busy = await house.startController();
    await sleep(10_000);
    const loadedRssMb = rssMb(busy);
    console.log(
      JSON.stringify({ idleRssMb, volumes: Number(BENCH_PVS), loadedRssMb, goals: { idle: 120, loaded: 200 } }),
    );
    expect(idleRssMb).toBeLessThanOrEqual(150);
    expect(loadedRssMb).toBeLessThanOrEqual(250);
  } finally {
    await house.close();
  }
});

test('the node role is small and soon ready', { timeout: 120_000 }, async () => {
  const folder = await createTempFolder('bench-csi-node');
  try {
    await mkdir(folder.file('sys/class/dmi/id'), { recursive: true });
    await writeFile(folder.file('sys/class/dmi/id/product_uuid'), '42120000-0000-4000-8000-000000000001\n');
    const startedMs = performance.now();
    const node = spawnLogged(
      process.execPath,
      [
        ...[
          bundle,
          'node',
          '--node-name',
          'node-1',
          '--no-register',
          '--csi-endpoint',
          `unix://${folder.file('n.sock')}`,
        ],
        ...['--health-port', '0', '--bind-address', '127.0.0.1', '--sysfs-root', folder.file('sys')],
      ],
      { name: 'node' },
    );
    try {
      await waitFor(() => /serving CSI/.test(node.tail()) || undefined, {
        what: 'the node role to serve CSI',
        timeoutMs: 30_000,
        everyMs: 5,
        processes: [node],
      });
      const readyMs = Math.round(performance.now() - startedMs);
      await sleep(3_000);
      const nodeRssMb = rssMb(node);
      console.log(JSON.stringify({ nodeRssMb, readyMs, goals: { rss: 65, readyMs: 300 } }));
      expect(nodeRssMb).toBeLessThanOrEqual(100);
    } finally {
      await node.stop();
    }
  } finally {
    await folder.remove();
  }
});
