import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createCommandRunner } from '@vdo/linux-disks/run-command';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mebibyte } from '../testing/disk-corpus.ts';
import { createNodeTestbed, type NodeTestbed } from '../testing/node-testbed.ts';
import { createStoppableDisks, type StoppableDisks } from '../testing/stoppable-disks.ts';

let testbed: NodeTestbed;
let hanging: StoppableDisks;
beforeEach(async () => {
  testbed = await createNodeTestbed({ bytes: 16 * mebibyte });
  hanging = await createStoppableDisks(testbed);
});
afterEach(async () => {
  await hanging.close();
  await testbed.close();
});

const volumeOf = (index: number) => ({ volumeId: `hung-${index}`, staging: `hung-${index}`, target: `pod-${index}` });
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { readonly code?: string }) => error.code,
  );

/** Programs of this process that are about a path: those that cannot be killed, too. */
const programsOn = (path: string): number =>
  Number(
    execFileSync('sh', ['-c', 'ps -o args= --ppid "$1" | grep -cF -- "$2" || true', 'sh', String(process.pid), path]),
  );

it('a disk that hangs is not asked again and again by programs that cannot be killed', async () => {
  const real = createCommandRunner(process.env);
  const node = testbed.callsOf(
    testbed.serviceWith({ run: (command, args, options) => real(command, args, { ...options, limitMs: 1_000 }) }),
  );
  const disk = await hanging.attach(`6000c29e${String(process.pid).padStart(24, '0')}`);
  hanging.stop();
  try {
    for (let minute = 0; minute < 5; minute++)
      await expect(node.stage(disk)).rejects.toMatchObject({
        code: 'NodeCommandFailed',
        message: expect.stringContaining('did not answer'),
      });
    expect(programsOn(disk.device)).toBeLessThanOrEqual(1);
  } finally {
    hanging.goOn();
  }
  await expect.poll(() => outcome(node.stage(disk)), { timeout: 60_000 }).toBe('done');
  await node.unstage();
  await disk.detach();
});

it('disks that hang in every call keep no healthy one waiting, and go on with their data when they answer again', async () => {
  // More than this process has threads, in use and not yet.
  const [used, fresh] = [6, 6];
  const real = createCommandRunner(process.env);
  // As the limits of minutes would be, in less time.
  const node = testbed.callsOf(
    testbed.serviceWith({
      run: (command, args, options) =>
        real(command, args, { ...options, limitMs: Math.min(options.limitMs ?? 3_000, 3_000) }),
    }),
  );
  const disks = [];
  for (let index = 0; index < used + fresh; index++) {
    disks.push(
      await hanging.attach(`6000c29f${String(process.pid).padStart(12, '0')}${String(index).padStart(12, '0')}`),
    );
    await testbed.makeStaging(`hung-${index}`);
    if (index >= used) continue;
    const options = volumeOf(index);
    await testbed.calls().stage(disks[index] ?? { diskUuid: '' }, options);
    await testbed.calls().publish(disks[index] ?? { diskUuid: '' }, options);
    await writeFile(testbed.path(`pod-${index}/file`), `data of ${index}`);
  }
  const calls: Promise<string | undefined>[] = [];
  try {
    hanging.stop();
    for (const [index, disk] of disks.entries()) {
      const options = volumeOf(index);
      if (index >= used) calls.push(outcome(node.stage(disk, options)));
      else if (index % 3 === 0) calls.push(outcome(node.unpublish(options.target, options.volumeId)));
      else if (index % 3 === 1) calls.push(outcome(node.publish(disk, { ...options, target: `second-${index}` })));
      else calls.push(outcome(node.stats(options.target)));
    }
    // The same process, meanwhile: all of a healthy volume's life.
    const healthy = await testbed.attach();
    for (let life = 0; life < 3; life++) {
      await testbed.makeStaging();
      await node.stage(healthy);
      await node.publish(healthy);
      expect(await node.stats()).toMatchObject({ volumeCondition: { abnormal: false } });
      await node.unpublish();
      await node.unstage();
    }
    // Every call has ended by itself, though nothing has answered yet; no disk was called ready.
    const outcomes = await Promise.all(calls);
    expect(outcomes.slice(used)).toEqual(Array.from({ length: fresh }, () => 'NodeCommandFailed'));
  } finally {
    hanging.goOn();
    await Promise.all(calls);
  }
  for (const [index, disk] of disks.entries()) {
    const options = volumeOf(index);
    const until = (what: () => Promise<unknown>) =>
      expect.poll(() => outcome(what()), { timeout: 60_000 }).toBe('done');
    await until(() => node.stage(disk, options));
    await until(() => node.publish(disk, options));
    if (index < used) expect(await readFile(testbed.path(`pod-${index}/file`), 'utf8')).toBe(`data of ${index}`);
    await until(() => node.unpublish(`second-${index}`, options.volumeId));
    await until(() => node.unpublish(options.target, options.volumeId));
    await until(() => node.unstage(options));
    await disk.detach();
  }
});
