import type { LiveTrouble } from '@vdo/config/api/health';
import { names } from '@vdo/config/names';
import { persistentVolumes } from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { headlineLines } from '../../output/headline.ts';
import { printResult } from '../../output/print-result.ts';
import { type Paint, paintFor } from '../../output/style.ts';
import { renderTable } from '../../output/table.ts';
import { checkup } from '../../shared/checkup/checkup.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { readHealth } from '../../shared/status/read-health.ts';
import { chooseVolumes } from './choose-volumes.ts';
import type { VolumesFlags } from './command.ts';
import { type VolumeRow, volumeRows } from './rows.ts';

const columnsFor = (paint: Paint) => [
  { title: 'persistentvolume', value: ({ persistentVolume }: VolumeRow) => persistentVolume ?? '' },
  { title: 'claim', value: ({ claim }: VolumeRow) => claim ?? '' },
  { title: 'state', value: ({ state }: VolumeRow) => (state === 'ok' ? state : paint('red', state)) },
  { title: 'size', value: ({ capacityGb }: VolumeRow) => (capacityGb === null ? '' : `${capacityGb} GiB`) },
  { title: 'attached to', value: ({ attachedTo }: VolumeRow) => attachedTo.join(',') },
  { title: 'volume id', value: ({ handle }: VolumeRow) => handle },
  { title: 'datastore', value: ({ datastore }: VolumeRow) => datastore ?? '', wide: true },
  { title: 'vcenter', value: ({ vcenter }: VolumeRow) => vcenter ?? '', wide: true },
];

const remedies: Readonly<Record<VolumeRow['state'], string>> = {
  ok: '',
  unknown:
    'no vCenter could be asked under the id of this cluster: see vdoctl status, and vdoctl doctor --only vcenter,credentials. Nothing is known to be lost.',
  lost: 'vCenter does not know its disk. Look for the disk with govc volume.ls -l and in the datastores; if it is gone, restore a backup into a new claim.',
  inaccessible:
    'its datastore is away: see that all hosts of the nodes reach it; nothing is to be changed in the cluster.',
  degraded: 'its disk works without redundancy: see the health of its datastore in vCenter.',
  orphan: 'no PersistentVolume has it: vdoctl volumes cleanup --id ID --dry-run tells whether it may go.',
};

/** What to do about each state that is not well, once. */
const remedyLines = (rows: readonly VolumeRow[]): readonly string[] => {
  const states = [...new Set(rows.map(({ state }) => state))].filter((state) => remedies[state] !== '');
  return states.length === 0 ? [] : ['', ...states.map((state) => `${state}: ${remedies[state]}`)];
};

const nothingLine = (orphans: boolean, allAnswered: boolean): string => {
  if (!allAnswered) return 'Not every vCenter could be asked: what is there is not known.';
  return orphans ? 'There are no orphans.' : 'There are no volumes of this driver.';
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
      : 'not every vCenter could be asked',
  };
};

/** vdoctl volumes */
export const listVolumes: CommandRun<VolumesFlags> = async (context, flags, wanted) => {
  const { signal } = context;
  const known: { readonly server: string; readonly volume: CnsVolume }[] = [];
  const onVolume = (volume: CnsVolume, server: string) => known.push({ server, volume });
  const facts = await checkup(context, flags, ['storage'], { onVolume });
  const [volumes, attachments] = await withCluster(context, flags, ({ kube }) =>
    Promise.all([kube.list(persistentVolumes, { signal }), kube.list(volumeAttachments, { signal })]),
  );
  const unread = facts.vcenters.filter(
    ({ volumes: reading, reachError, login }) =>
      reachError !== undefined || login !== true || (reading !== undefined && 'error' in reading),
  );
  // Nobody asks for volumes where no vCenter is known, or no id of this cluster to ask for.
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
  });
  const rows = chooseVolumes(all, wanted).filter(({ state }) => !flags.orphans || state === 'orphan');
  for (const { server, reachError, login } of unread) {
    const why = reachError ?? (login instanceof Error ? login : undefined);
    context.terminal.err(`The volumes of ${server} are not known${why ? `: ${why.message}` : '.'}\n`);
  }
  const sick = (wanted.length > 0 ? rows : all).filter(({ state }) => state !== 'ok' && state !== 'orphan');
  const paint = paintFor(context, flags);
  const width = Math.min(context.terminal.columns ?? 100, 120);
  const health = await readHealth(context, flags, troubleOf(sick, unread.length));
  printResult(context, flags.output, {
    data: rows,
    lines: (options) =>
      rows.length === 0
        ? [nothingLine(flags.orphans === true, unread.length === 0)]
        : [
            ...headlineLines(health, { about: health.about, paint, width }),
            '',
            ...renderTable(columnsFor(paint), rows, options),
            ...remedyLines(rows),
          ],
  });
  return sick.length > 0 || unread.length > 0 ? exitCodes.unhealthy : exitCodes.done;
};
