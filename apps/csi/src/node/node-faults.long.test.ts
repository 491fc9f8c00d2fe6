import { describe, expect, it } from 'vitest';
import { openPortions } from '../../../../test/harness/portions.ts';
import { mebibyte } from '../testing/disk-corpus.ts';
import { cellsOf, deathsOf, idOf, type ListedDeath, type TableCell } from '../testing/fault-table.ts';
import { buildMortalNode, dismissMortalNode } from '../testing/mortal-call.ts';
import {
  createFaultyVolume,
  type Death,
  type Kind,
  kinds,
  retryOrders,
  type Step,
  sizeOf,
  steps,
} from '../testing/node-faults.ts';
import { createNodeTestbed } from '../testing/node-testbed.ts';

// VDO_FAULTS=all: also the points that leave the same as another one (see fault-table.ts). VDO_FAULTS=kills: of the others only those
// that leave something half done. VDO_FAULTS_EVERY=7: every seventh cell.
// VDO_FAULTS_CELLS=1..200: only these of each step. What has passed on the same sources of the node role is not tried again.
const wanted = process.env['VDO_FAULTS'] ?? 'standing';
const isWanted = ({ stands, signal, when }: ListedDeath): boolean =>
  wanted === 'all' || (stands && (wanted !== 'kills' || signal === 'SIGKILL' || when !== 'itself'));
/** A part of what a cell is called, to try it again: `itself SIGKILL rename 1, tried again twice`. */
const only = process.env['VDO_FAULTS_ONLY'] ?? '';
const every = Number(process.env['VDO_FAULTS_EVERY'] ?? 1);
const [from = 1, to = Number.POSITIVE_INFINITY] = process.env['VDO_FAULTS_CELLS']?.split('..').map(Number) ?? [];
/** Volumes at once, each with a disk and a folder of its own: most of the time a cell waits. */
const lanes = Number(process.env['VDO_FAULTS_LANES'] ?? 3);
const portions = openPortions(
  'node-faults',
  ['apps/csi/src/node', 'packages/linux-disks/src'],
  (path) => !/\.test\.ts$|\/testing\//.test(path),
);

const openLane = async (kind: Kind, step: Step) => {
  const testbed = await createNodeTestbed({ bytes: sizeOf[kind] * mebibyte });
  await buildMortalNode(testbed.folder);
  const volume = createFaultyVolume(testbed, kind);
  let counted: ReturnType<typeof volume.count> | undefined;
  const listDeaths = async () => {
    counted ??= volume.count(step);
    return deathsOf(await counted);
  };
  /** The same death in this lane's folder. */
  const here = async (death: Death): Promise<Death> =>
    death.path ? ((await listDeaths()).find((other) => idOf(other) === idOf(death)) ?? death) : death;
  return {
    listDeaths,
    /** Whether it died, or what went wrong. */
    survive: async ({ death, order }: TableCell): Promise<boolean | Error> =>
      volume.survive(step, await here(death), order).catch((error: Error) => error),
    end: () => volume.end(),
    close: () => {
      dismissMortalNode(testbed.folder);
      return testbed.close();
    },
  };
};
type Lane = Awaited<ReturnType<typeof openLane>>;

/** Tries cells on several volumes at once, and tells of each what came of it. */
const tryAll = async (
  cells: readonly TableCell[],
  first: Lane,
  open: () => Promise<Lane>,
  onCell: (cell: TableCell, outcome: boolean | Error, seconds: number) => void,
): Promise<void> => {
  const left = [...cells];
  /** True if the lane came to the end; a volume with which something went wrong is left alone. */
  const drive = async (lane: Lane): Promise<boolean> => {
    for (let cell = left.shift(); cell; cell = left.shift()) {
      const startMs = performance.now();
      const outcome = await lane.survive(cell);
      onCell(cell, outcome, Math.round(performance.now() - startMs) / 1000);
      if (outcome instanceof Error) return false;
    }
    return true;
  };
  const work = async (opened?: Lane): Promise<void> => {
    for (let lane = opened; lane || left.length > 0; lane = undefined) {
      lane ??= await open();
      if (await drive(lane)) await lane.end();
      await lane.close();
    }
  };
  await Promise.all([work(first), ...Array.from({ length: lanes - 1 }, () => work())]);
};

describe.each(kinds)('a node role that dies with a volume of kind %s', (kind) => {
  it.each(steps)(
    'at any point of %s loses nothing, leaves nothing mounted, and is never stuck',
    async (step) => {
      const first = await openLane(kind, step);
      const listed = cellsOf(await first.listDeaths(), retryOrders);
      const cells = listed
        .filter(({ id, death }) => isWanted(death) && id.includes(only))
        .filter((_, index) => index % every === 0 && index + 1 >= from && index < to);
      const left = cells.filter(({ id }) => !portions.hasPassed(`${kind} ${step} ${id}`));
      const failures: string[] = [];
      const kills: boolean[] = [];
      await tryAll(
        left,
        first,
        () => openLane(kind, step),
        ({ id, death }, outcome, seconds) => {
          const command = `${kind} ${step} ${id}`;
          const failed = outcome instanceof Error;
          portions.add(command, { passed: !failed, seconds });
          if (failed) failures.push(`${command}: ${outcome.message}`);
          else if (death.signal === 'SIGKILL') kills.push(outcome);
        },
      );
      const hit = kills.filter(Boolean).length;
      process.stdout.write(
        `faults ${kind} ${step} on ${portions.sources}: ${cells.length} of ${listed.length} cells, ${left.length} of them now, ${hit} of ${kills.length} SIGKILLs hit, ${failures.length} failed\n`,
      );
      expect(failures).toEqual([]);
      // A program may be faster than its death, and what is closed last is closed when all is done.
      expect(hit).toBeGreaterThanOrEqual(0.5 * kills.length);
    },
    8 * 3_600_000,
  );
});
