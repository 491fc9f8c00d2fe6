import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { csiRuntime } from '@vdo/releases/render/shared/node-runtime';
import { demoUuid } from '@vdo/vsphere-sim/demo-model';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../harness/cleanup.ts';
import { spawnLogged } from '../../harness/process.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { openBenchTestbed } from './bench-testbed.ts';
import { rssMb } from './process-cost.ts';

const bundle = fileURLToPath(new URL('../../../apps/csi/dist/main.js', import.meta.url));

test('the controller is small when it is idle', { timeout: 600_000 }, async () => {
  const testbed = await openBenchTestbed({ nodes: 3, latencyMs: 0 });
  try {
    const controller = await testbed.startController();
    await sleep(5_000);
    const idleRssMb = rssMb(controller);
    console.log(JSON.stringify({ idleRssMb, goal: 120 }));
    expect(idleRssMb).toBeLessThanOrEqual(150);
  } finally {
    await testbed.close();
  }
});

test('the node role is small and soon ready', { timeout: 120_000 }, async () => {
  const folder = await createTempFolder('bench-csi-node');
  try {
    await mkdir(folder.file('sys/class/dmi/id'), { recursive: true });
    await writeFile(folder.file('sys/class/dmi/id/product_uuid'), `${demoUuid(1)}\n`);
    const startedMs = performance.now();
    const node = spawnLogged(
      process.execPath,
      [
        ...csiRuntime.flags,
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
      { name: 'node', env: csiRuntime.env },
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
