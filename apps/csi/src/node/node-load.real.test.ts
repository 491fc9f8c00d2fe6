import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { createNodeTestbed, type NodeTestbed } from '../testing/node-testbed.ts';

const sh = (script: string): string => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
let testbed: NodeTestbed;
beforeEach(async () => {
  testbed = await createNodeTestbed({ bytes: 16 * mebibyte });
});
afterEach(() => testbed.close());

/** What this process has open of devices. */
const openDevices = (): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith('/dev/loop') ? [target] : [];
    } catch {
      return [];
    }
  });

describe('many volumes at once', () => {
  it('are staged, published and unstaged without one waiting for another for ever', async () => {
    const count = 30;
    const node = testbed.callsOf(testbed.serviceWith());
    const volumes = [];
    for (let index = 0; index < count; index++) {
      const disk = await testbed.attach();
      await testbed.makeStaging(`staging-${index}`);
      volumes.push({
        disk,
        options: { volumeId: `v${index}`, staging: `staging-${index}`, target: `target-${index}` },
      });
    }
    await Promise.all(volumes.map(({ disk, options }) => node.stage(disk, options)));
    await Promise.all(volumes.map(({ disk, options }) => node.publish(disk, options)));
    for (const [index] of volumes.entries()) await writeFile(testbed.path(`target-${index}/file`), `${index}`);
    await Promise.all(volumes.map(({ options }) => node.unpublish(options.target, options.volumeId)));
    await Promise.all(volumes.map(({ options }) => node.unstage(options)));
    expect(sh('cat /proc/self/mountinfo')).not.toContain(testbed.folder);
    expect(openDevices()).toEqual([]);
  });
});

describe('one volume, over and over', () => {
  it('leaves no descriptor, mount, process or note behind', async () => {
    const node = testbed.callsOf(testbed.serviceWith());
    const disk = await testbed.attach();
    for (let cycle = 0; cycle < 20; cycle++) {
      await testbed.makeStaging();
      await node.stage(disk);
      await node.publish(disk);
      await node.unpublish();
      await node.unstage();
    }
    expect(openDevices()).toEqual([]);
    expect(readdirSync(testbed.path('staged'))).toEqual([]);
    expect(sh(`ps -o stat= --ppid ${process.pid} | grep -c ^Z || true`).trim()).toBe('0');
  });
});

describe('disks that do not answer', () => {
  // The files behind the disks lie in a file system that is frozen: whoever writes waits in the kernel and cannot be killed.
  it('keep no healthy one waiting, and are told apart; they go on when they answer again', async () => {
    const frozen = testbed.path('frozen');
    await mkdir(frozen);
    await writeFile(testbed.path('base.img'), '');
    await truncate(testbed.path('base.img'), 300 * mebibyte);
    execFileSync('mkfs.ext4', ['-q', testbed.path('base.img')], { stdio: 'ignore' });
    sh(`mount -o loop ${testbed.path('base.img')} ${frozen}`);
    const hung = [];
    for (let index = 0; index < 6; index++) {
      hung.push({
        disk: await testbed.attach({ folder: frozen }),
        options: { volumeId: `hung-${index}`, staging: `hung-${index}` },
      });
      await testbed.makeStaging(`hung-${index}`);
    }
    // As the limits of minutes would be, in less time.
    const real = createCommandRunner(process.env);
    const node = testbed.callsOf(
      testbed.serviceWith({
        run: (command, args, options) =>
          real(command, args, { ...options, limitMs: Math.min(options.limitMs ?? 4_000, 4_000) }),
      }),
    );
    sh(`fsfreeze --freeze ${frozen}`);
    let waiting: readonly Promise<unknown>[] = [];
    try {
      waiting = hung.map(({ disk, options }) => node.stage(disk, options).catch((error: Error) => error));
      await new Promise((resolve) => setTimeout(resolve, 500));
      const startMs = performance.now();
      const healthy = await testbed.attach();
      await node.stage(healthy);
      await node.publish(healthy);
      expect(await node.stats()).toMatchObject({ volumeCondition: { abnormal: false } });
      await node.unpublish();
      await node.unstage();
      expect(performance.now() - startMs).toBeLessThan(20_000);
      // A second call for a hung one is told so, and does not queue up.
      const [first] = hung;
      if (!first) throw new Error('no hung disk');
      await expect(node.stage(first.disk, first.options)).rejects.toMatchObject({
        code: expect.stringMatching(/^(VolumeBusy|NodeCommandFailed)$/),
      });
      for (const result of await Promise.all(waiting)) expect(result).toMatchObject({ code: 'NodeCommandFailed' });
    } finally {
      sh(`fsfreeze --unfreeze ${frozen}`);
      await Promise.all(waiting);
    }
    for (const { disk, options } of hung)
      await expect
        .poll(() => node.stage(disk, options).then(() => 'staged', String), { timeout: 60_000 })
        .toBe('staged');
    for (const { disk, options } of hung) {
      await node.unstage(options);
      await disk.detach();
    }
    sh(`umount ${frozen}`);
  });
});
