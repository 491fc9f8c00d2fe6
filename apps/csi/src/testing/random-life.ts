import { createSeededRandom } from '@vdo/base/random';
import { nextStep } from './random-steps.ts';
import { openRandomWorld, type RandomWorld } from './random-world.ts';
import { createWishes, type Wishes } from './wishes.ts';

const gibibyteMb = 1024n;

/** What must hold at every moment, whatever is under way. */
const safetyProblems = async (world: RandomWorld, wishes: Wishes): Promise<readonly string[]> => {
  const volumes = new Map((await world.persistentVolumes()).map((one) => [one.spec.csi?.volumeHandle, one]));
  const attachments = await world.attachments();
  const vmOf = (node: string) => world.sim.control.find(node, 'VirtualMachine').value;
  const lost = wishes
    .bound()
    .flatMap(({ name, disk = '' }) => (world.sim.volumes.get(disk) ? [] : [`the disk ${disk} of ${name} is gone`]));
  const loose = world.sim.volumes.list().flatMap(({ id, attachedTo }) => {
    if (!attachedTo) return [];
    const volume = volumes.get(id)?.metadata.name;
    const asked = attachments.some(
      ({ spec }) => spec.source.persistentVolumeName === volume && vmOf(spec.nodeName) === attachedTo.vm.value,
    );
    return asked ? [] : [`disk ${id} is on ${attachedTo.vm.value} without a VolumeAttachment`];
  });
  const formatted = wishes.claims().flatMap(({ name, from, disk }) => {
    const blank = volumes.get(disk)?.spec.csi?.volumeAttributes?.['vdo.vmware.com/blank'];
    return from !== undefined && blank === 'true' ? [`${name} is a copy and would be formatted`] : [];
  });
  return [...lost, ...loose, ...formatted];
};

const differs = (what: string, has: readonly string[], expected: readonly string[]): readonly string[] => {
  const [left, right] = [[...has].sort().join(' '), [...expected].sort().join(' ')];
  return left === right ? [] : [`${what}: ${left || 'none'}; expected: ${right || 'none'}`];
};

/** What must hold once everything has come to rest. */
const restProblems = async (world: RandomWorld, wishes: Wishes): Promise<readonly string[]> => {
  const volumes = await world.persistentVolumes();
  const claims = new Map((await world.claims()).map((one) => [one.metadata.name ?? '', one]));
  const snapshots = new Map((await world.snapshots()).map((one) => [one.metadata.name ?? '', one]));
  const contents = await world.contents();
  const attachments = new Map((await world.attachments()).map((one) => [one.metadata.name ?? '', one]));
  const disks = world.sim.volumes.list();
  // A disk with snapshots cannot go before they do.
  const kept = wishes.all.claims.filter((one) => !one.deleted || wishes.snapshotsOf(one).length > 0);
  const handles = volumes.map(({ spec }) => spec.csi?.volumeHandle ?? '');
  const waiting = wishes.claims().flatMap(({ name }) => {
    const phase = claims.get(name)?.status?.phase;
    return phase === 'Bound' ? [] : [`${name} is ${phase}`];
  });
  const unready = wishes
    .snapshots()
    .flatMap(({ name }) => (snapshots.get(name)?.status?.readyToUse ? [] : [`${name} is not ready`]));
  const unattached = wishes
    .attachments()
    .flatMap(({ name }) => (attachments.get(name)?.status?.attached ? [] : [`${name} is not attached`]));
  const small = wishes.bound().flatMap((claim) => {
    const mb = disks.find(({ id }) => id === claim.disk)?.capacityMb ?? 0n;
    const isHeld = wishes.snapshotsOf(claim).length > 0;
    return isHeld || mb === BigInt(claim.sizeGi) * gibibyteMb ? [] : [`${claim.name} has ${mb} MiB`];
  });
  return [
    ...(await safetyProblems(world, wishes)),
    ...waiting,
    ...unready,
    ...unattached,
    ...small,
    ...differs(
      'claims',
      [...claims.keys()],
      wishes.claims().map(({ name }) => name),
    ),
    ...differs(
      'snapshots',
      [...snapshots.keys()],
      wishes.snapshots().map(({ name }) => name),
    ),
    ...differs(
      'attachments',
      [...attachments.keys()],
      wishes.attachments().map(({ name }) => name),
    ),
    ...differs(
      'disks',
      disks.map(({ id }) => id),
      handles,
    ),
    ...differs(
      'snapshots of disks',
      disks.flatMap(({ id, snapshots: taken }) => taken.map((one) => `${id}+${one.id}`)),
      contents.map(({ status }) => status?.snapshotHandle ?? ''),
    ),
    ...(volumes.length === kept.length ? [] : [`${volumes.length} PersistentVolumes, expected ${kept.length}`]),
    ...(await world.intents()).map(({ metadata }) => `intent ${metadata.name}`),
  ];
};

/** Notes which disk each claim got, and does the kubelets' part. */
const observe = async (world: RandomWorld, wishes: Wishes): Promise<void> => {
  await world.growFileSystems();
  const volumes = new Map((await world.persistentVolumes()).map((one) => [one.metadata.name, one]));
  for (const { metadata, spec, status } of await world.claims()) {
    const claim = wishes.claims().find(({ name, disk }) => name === metadata.name && disk === undefined);
    const disk = volumes.get(spec.volumeName ?? '')?.spec.csi?.volumeHandle;
    if (!claim || status?.phase !== 'Bound' || disk === undefined) continue;
    claim.volume = spec.volumeName ?? '';
    claim.disk = disk;
  }
};

const assertSafe = async (world: RandomWorld, wishes: Wishes): Promise<void> => {
  const problems = await safetyProblems(world, wishes);
  if (problems.length > 0) throw new Error(problems.join('\n'));
};

/** The longest pauses between tries are five minutes, and several may follow each other. */
const restMs = 3_600_000;
const pollMs = 20_000;

const rest = async (world: RandomWorld, wishes: Wishes): Promise<void> => {
  let problems: readonly string[] = [];
  for (let passedMs = 0; passedMs < restMs; passedMs += pollMs) {
    await world.clock.advance(pollMs);
    await observe(world, wishes);
    await assertSafe(world, wishes);
    problems = await restProblems(world, wishes);
    if (problems.length === 0) return;
  }
  throw new Error(`no rest within an hour:\n${problems.join('\n')}`);
};

const endAll = async (world: RandomWorld, wishes: Wishes): Promise<void> => {
  const end = async (ones: readonly { readonly name: string; deleted?: true }[], remove: (name: string) => unknown) => {
    for (const one of ones) {
      one.deleted = true;
      await remove(one.name);
    }
  };
  await end(wishes.attachments(), world.deleteAttachment);
  await end(wishes.claims(), world.deleteClaim);
  await end(wishes.snapshots(), world.deleteSnapshot);
};

/**
 * Lets claims, snapshots and attachments come and go at random while the controller dies and vCenter fails; then everything must come
 * to rest as it was wished, and leave nothing when all of it is deleted. The same seed gives the same life.
 */
export const liveRandomly = async (seed: number, steps: number): Promise<void> => {
  const random = createSeededRandom(seed);
  const world = await openRandomWorld();
  const wishes = createWishes();
  const story: string[] = [];
  try {
    for (let count = 0; count < steps; count++) {
      const step = nextStep({ world, wishes, random });
      story.push(`${Math.round(world.clock.monotonicMs() / 1000)} s: ${step.what}`);
      await step.run();
      await world.clock.advance(Math.floor(random.next() ** 2 * 20_000));
      await observe(world, wishes);
      await assertSafe(world, wishes);
    }
    world.sim.control.clearFaults();
    story.push('no more faults');
    await rest(world, wishes);
    story.push('everything is deleted');
    await endAll(world, wishes);
    await rest(world, wishes);
  } catch (error) {
    const reported = error instanceof Error ? error.message : String(error);
    throw new Error(
      `seed ${seed} (again: VDO_SEED=${seed} npm run test:long -- random-life):\n${reported}\n\n${story.join('\n')}`,
      {
        cause: error,
      },
    );
  } finally {
    await world.stop();
  }
};
