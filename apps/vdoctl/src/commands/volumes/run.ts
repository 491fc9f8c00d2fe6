import type { ClusterFacts } from '@vdo/checks/facts';
import { valueIn } from '@vdo/checks/facts/reading';
import type { Health, LiveTrouble } from '@vdo/config/api/health';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { clusterOfList } from '../../cli/options.ts';
import { headlineLines } from '../../output/headline.ts';
import { createLiveView, staleLines } from '../../output/live-view.ts';
import { type Paint, paintFor } from '../../output/style.ts';
import { renderTable } from '../../output/table.ts';
import { withCheckup } from '../../shared/checkup/checkup.ts';
import { vcenterPace, watchView } from '../../shared/cluster/watch-view.ts';
import { healthIn } from '../../shared/status/read-health.ts';
import { chooseVolumes } from './choose-volumes.ts';
import { claimFilter } from './claim-filter.ts';
import type { VolumesFlags } from './command.ts';
import { type KnownVolume, type VolumeRow, volumeRows } from './rows.ts';

const columnsFor = (paint: Paint) => [
  { title: 'persistentvolume', value: ({ persistentVolume }: VolumeRow) => persistentVolume ?? '' },
  { title: 'claim', value: ({ claim }: VolumeRow) => claim ?? '' },
  { title: 'state', value: ({ state }: VolumeRow) => (state === 'ok' ? state : paint('red', state)) },
  { title: 'size', value: ({ capacityGb }: VolumeRow) => (capacityGb === null ? '' : `${capacityGb} GiB`) },
  { title: 'attached to', value: ({ attachedTo }: VolumeRow) => attachedTo.join(',') },
  { title: 'volume id', value: ({ handle }: VolumeRow) => handle },
  {
    title: 'datastore',
    value: ({ datastore, datastoreName }: VolumeRow) => datastoreName ?? datastore ?? '',
    wide: true,
  },
  { title: 'vcenter', value: ({ vcenter }: VolumeRow) => vcenter ?? '', wide: true },
];

const remedies: Readonly<Record<VolumeRow['state'], string>> = {
  ok: '',
  unknown:
    'vCenter could not be queried, so the state is unknown; this does not mean that the volume is lost. Run vdoctl status and vdoctl doctor --only vcenter,credentials.',
  lost: 'vCenter does not have its disk. Search for the disk with govc volume.ls -l and in the datastores. If it is gone, restore a backup to a new claim.',
  inaccessible:
    'its datastore is not accessible. Make sure that all hosts of the nodes can reach it. No change in the cluster is needed.',
  degraded: 'its disk works, but without redundancy. Check the health of its datastore in vCenter.',
  noncompliant:
    'its disk works, but does not satisfy its storage policy. Repair its datastore, or move it: vdoctl volumes move NAME --to DATASTORE.',
  orphan: 'it has no PersistentVolume. To see whether it can be deleted: vdoctl volumes cleanup --id ID --dry-run',
};

/** What to do about each unhealthy state, once per state. */
const remedyLines = (rows: readonly VolumeRow[]): readonly string[] => {
  const states = [...new Set(rows.map(({ state }) => state))].filter((state) => remedies[state] !== '');
  return states.length === 0 ? [] : ['', ...states.map((state) => `${state}: ${remedies[state]}`)];
};

const nothingLine = ({ orphans, namespace, selector, datastore }: VolumesFlags, allAnswered: boolean): string => {
  if (datastore !== undefined && allAnswered) return `No volume of this driver found on datastore ${datastore}.`;
  if (!allAnswered) return 'Not every vCenter could be queried: the list is incomplete.';
  if (orphans) return 'No orphaned volumes found.';
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const which = selector === undefined ? '' : ` with the labels ${selector}`;
  return where + which === ''
    ? 'No volumes of this driver found.'
    : `No claim${where}${which} has a volume of this driver.`;
};

const isBroken = ({ state }: VolumeRow): boolean => state === 'lost' || state === 'inaccessible';

const troubleOf = (sick: readonly VolumeRow[], unread: number): LiveTrouble => {
  const broken = sick.filter(isBroken);
  const [worst] = [...broken, ...sick];
  return {
    fail: broken.length,
    warn: sick.length - broken.length + unread,
    reason: worst
      ? `volume ${worst.persistentVolume ?? worst.handle} is ${worst.state}`
      : 'not every vCenter could be queried',
  };
};

const idOf = ({ persistentVolume, handle }: VolumeRow): string =>
  persistentVolume === null ? `volume/${handle}` : `persistentvolume/${persistentVolume}`;

interface Listed {
  /** All volumes of the driver, including those that are not shown. */
  readonly all: readonly VolumeRow[];
  readonly rows: readonly VolumeRow[];
  readonly unread: ClusterFacts['vcenters'];
}

/** The volumes of the vCenters joined with those of the cluster. */
const readVolumes = async (
  { signal }: CliContext,
  flags: VolumesFlags,
  input: { readonly kube: KubeClient; readonly facts: ClusterFacts; readonly known: readonly KnownVolume[] },
  wanted: readonly string[],
): Promise<Listed> => {
  const { kube, facts, known } = input;
  const claims = await claimFilter(kube, flags, signal);
  const [volumes, attachments] = await Promise.all([
    kube.list(persistentVolumes, { signal }),
    kube.list(volumeAttachments, { signal }),
  ]);
  const unread = facts.vcenters.filter(
    ({ volumes: reading, reachError, login }) =>
      reachError !== undefined || login !== true || (reading !== undefined && 'error' in reading),
  );
  // Without a vCenter or a cluster ID there is nothing to query.
  const allRead =
    facts.vcenters.length > 0 &&
    facts.vcenters.every(({ volumes: reading }) => reading !== undefined) &&
    unread.length === 0;
  const all = volumeRows({
    volumes: volumes.items,
    attachments: attachments.items,
    known,
    driver: names.csiDriver,
    allRead,
    datastoreNames: new Map(
      facts.vcenters.flatMap(({ places }) =>
        (valueIn(places)?.datastores ?? []).map(({ url, name }) => [url, name] as const),
      ),
    ),
  });
  const rows = chooseVolumes(all, wanted)
    .filter((row) => flags.datastore === undefined || [row.datastore, row.datastoreName].includes(flags.datastore))
    .filter(({ state }) => !flags.orphans || state === 'orphan')
    .filter(({ claim }) => claims(claim));
  return { all, rows, unread };
};

/** The health of the selected volumes; orphans do not count as a problem. */
const sickOf = ({ all, rows }: Listed, { orphans }: Pick<VolumesFlags, 'orphans'>): readonly VolumeRow[] =>
  (rows.length < all.length && !orphans ? rows : all).filter(({ state }) => state !== 'ok' && state !== 'orphan');

const unreadLines = ({ unread }: Listed): readonly string[] =>
  unread.map(({ server, reachError, login }) => {
    const why = reachError ?? (login instanceof Error ? login : undefined);
    return `The volumes of ${server} could not be read${why ? `: ${why.message}` : '.'}`;
  });

/** vdoctl volumes */
export const listVolumes: CommandRun<VolumesFlags> = (context, given, wanted) => {
  const flags = clusterOfList(given);
  const { terminal } = context;
  let known: KnownVolume[] = [];
  const onVolume = (volume: CnsVolume, server: string) => known.push({ server, volume });
  return withCheckup(context, flags, { groups: ['storage'], onVolume }, async ({ cluster, observe }) => {
    const { kube, server } = cluster;
    const paint = paintFor(context, flags);
    const view = createLiveView(context, flags.output);
    let last:
      | (Listed & { readonly sick: readonly VolumeRow[]; readonly health: Health & { about: string } })
      | undefined;
    const show = (problem?: string): void => {
      if (!last) return;
      const { rows, unread, health } = last;
      const width = Math.min(terminal.columns ?? 100, 120);
      view.show({
        data: rows,
        names: rows.map(idOf),
        lines: (options) => [
          ...(rows.length === 0
            ? [nothingLine(given, unread.length === 0)]
            : [
                ...headlineLines(health, { about: health.about, paint, width }),
                '',
                ...renderTable(columnsFor(paint), rows, options),
                ...remedyLines(rows),
              ]),
          ...staleLines(problem),
        ],
      });
    };
    const read = async (): Promise<void> => {
      known = [];
      const facts = await observe();
      const listed = await readVolumes(context, given, { kube, facts, known }, wanted);
      if (!view.redraws) for (const line of unreadLines(listed)) terminal.err(`${line}\n`);
      const sick = sickOf(listed, flags);
      const trouble = troubleOf(sick, listed.unread.length);
      last = { ...listed, sick, health: await healthIn(kube, trouble, { server, signal: context.signal }) };
      show();
    };
    const resources = [persistentVolumes, volumeAttachments, vsphereDrivers];
    const redraw = { everyMs: 60_000, draw: show };
    if (flags.watch) await watchView(context, { kube, resources, ...vcenterPace, redraw }, read);
    else await read();
    return last && last.sick.length + last.unread.length > 0 ? exitCodes.unhealthy : exitCodes.done;
  });
};
