import { createActLog, violationsOf } from '@vdo/acts/act-log';
import type { SimTestbedOptions } from '@vdo/csi/testing/sim-testbed';
import { type PersistentVolumeClaim, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import { volumeSnapshots } from '@vdo/kube/types/snapshots';
import { type VolumeAttributesClass, volumeAttachments, volumeAttributesClasses } from '@vdo/kube/types/storage';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { openStory, type Story, withSnapshots } from '../stories/story-world.ts';
import { type Cell, nameOf } from './cells.ts';
import { createFaultyVCenter, type Operation } from './faulty-vcenter.ts';

export interface Lane {
  readonly cell: Cell;
  /** Of the claim, and of all that is made for it. */
  readonly name: string;
  readonly node: number;
  uid: string;
  volume: string;
  disk: string;
}

const policies = ['gold', 'silver'].map((name) => ({ name, datastores: ['shared-vmfs', 'vsanDatastore'] }));

export interface TableOptions {
  readonly cells: readonly Cell[];
  readonly rows: readonly Row[];
  /** What the claims ask for, and the call that makes it. */
  readonly claim: { readonly spec: Partial<PersistentVolumeClaim['spec']>; readonly operation: Operation };
  readonly csi?: SimTestbedOptions['csi'];
  /** vCenter says that it has done what it has not: the table must see that. */
  readonly lies?: boolean;
  /** Of virtual time, for each row. Default 40. */
  readonly minutes?: number;
}

const open = async ({ cells: columns, csi, lies = false }: TableOptions) => {
  const faulty = createFaultyVCenter({ lies });
  const actLog = createActLog({ limit: 100_000 });
  const story = await openStory({
    through: faulty.through,
    actLog,
    model: { ...demoModel(), policies },
    ...(csi ? { csi } : {}),
  });
  const snapshots = await withSnapshots(story);
  await story.storageClass('table', { allowVolumeExpansion: true });
  await story.client.create<VolumeAttributesClass>(volumeAttributesClasses, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    metadata: { name: 'gold' },
    driverName: 'csi.vsphere.vmware.com',
    parameters: { storagepolicyname: 'gold' },
  });
  const lanes: Lane[] = columns.map((cell, index) => ({
    cell,
    name: `l${index}`,
    node: 1 + (index % 5),
    uid: '',
    volume: '',
    disk: '',
  }));
  return { story, snapshots, faulty, actLog, lanes };
};
export type Table = Awaited<ReturnType<typeof open>>;

/** What is there, read once for all lanes. */
const observe = async ({ client, sim }: Story) => {
  const byName = <T extends { metadata: { name?: string } }>(items: readonly T[]) =>
    new Map(items.map((item) => [item.metadata.name ?? '', item]));
  return {
    claims: byName((await client.list(persistentVolumeClaims)).items),
    volumes: byName((await client.list(persistentVolumes)).items),
    attachments: byName((await client.list(volumeAttachments)).items),
    snapshots: byName((await client.list(volumeSnapshots)).items),
    disks: sim.volumes.list(),
  };
};
export type Sight = Awaited<ReturnType<typeof observe>>;

/** Undefined if all is as it should be. */
type Judge = (lane: Lane, sight: Sight) => string | undefined;

export const diskOf = ({ disk }: Lane, { disks }: Sight) => disks.find(({ id }) => id === disk);

export interface Row {
  readonly operation: Operation;
  /** What users ask for. */
  readonly ask: (table: Table, lane: Lane) => Promise<unknown>;
  readonly judge: Judge;
}

/** Lets time pass until every lane is as it should be; what is not by then is told. */
const settle = async ({ story, lanes, faulty }: Table, judge: Judge, minutes: number): Promise<readonly string[]> => {
  let left: readonly string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    await story.advance(minute === 0 ? 30_000 : 60_000);
    const sight = await observe(story);
    left = lanes.flatMap((lane) => {
      const problem = judge(lane, sight);
      return problem === undefined ? [] : [`${nameOf(lane.cell)}: ${problem}`];
    });
    if (left.length === 0) break;
  }
  return [...left, ...faulty.unmet().map((one) => `never asked: ${one}`)];
};

const isMade: Judge = (lane, sight) => {
  const disks = sight.disks.filter(({ name }) => name === `pvc-${lane.uid}`);
  const claim = sight.claims.get(lane.name);
  if (claim?.status?.phase !== 'Bound') return `not bound, ${disks.length} disks`;
  lane.volume = claim.spec.volumeName ?? '';
  lane.disk = sight.volumes.get(lane.volume)?.spec.csi?.volumeHandle ?? '';
  return disks.length === 1 && disks[0]?.id === lane.disk ? undefined : `${disks.length} disks`;
};

/**
 * Runs the operations one after the other on as many volumes as there are errors: the first call of each operation ends with the error
 * of its column. Gives the problems by operation; no problems, no entry.
 */
export const runTable = async (options: TableOptions): Promise<Record<string, readonly string[]>> => {
  const { claim, rows, minutes = 40 } = options;
  const table = await open(options);
  const { story, lanes, faulty, actLog } = table;
  // While no controller runs, so that the first call is met.
  for (const lane of lanes) {
    lane.uid = (await story.claim(lane.name, 'table', claim.spec)).metadata.uid ?? '';
    if (!options.lies) faulty.arm(claim.operation, `pvc-${lane.uid}`, lane.cell);
  }
  story.start();
  const wrong: Record<string, readonly string[]> = { [claim.operation]: await settle(table, isMade, 40) };
  for (const { operation, ask, judge } of rows) {
    for (const lane of lanes) faulty.arm(operation, lane.disk, lane.cell);
    for (const lane of lanes) await ask(table, lane);
    wrong[operation] = await settle(table, judge, minutes);
  }
  await story.advance(300_000);
  wrong['left'] = [
    ...(await story.intents()).map(({ metadata }) => `intent ${metadata.name}`),
    ...story.disks().map(({ name }) => `disk ${name}`),
    ...(await table.snapshots.contents()).map(({ metadata }) => `content ${metadata.name}`),
  ];
  wrong['acts without evidence'] = violationsOf(actLog.records());
  return Object.fromEntries(Object.entries(wrong).filter(([, problems]) => problems.length > 0));
};
