import type { Clock } from '@vdo/base/clock';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { VolumeKind } from '../driver.ts';
import type { CsiVCenter } from './csi-vcenter.ts';

type SightVCenter = Pick<CsiVCenter, 'server' | 'inventory' | 'firstClassDisks'> & {
  readonly cns: Pick<CsiVCenter['cns'], 'showsAny' | 'queryVolumes'>;
};

export interface SightDeps {
  readonly vcenters: readonly SightVCenter[];
  readonly clock: Clock;
  /** A vCenter that has shown no volume at all for so long has none. Default 10 min. */
  readonly blindMs?: number;
}

export interface SightQuestion {
  readonly signal: AbortSignal;
  /** Default: all of them. */
  readonly server?: string;
  /** What was not found. Default: it may be either. */
  readonly kind?: VolumeKind | undefined;
  /** Which one was not found. */
  readonly missing: { readonly id: string } | { readonly name: string };
}

/** Tells whether what a vCenter does not show is not there. */
export interface Sight {
  /**
   * To be asked between two looks that found nothing. Throws if a vCenter shows no volume of anybody, and may have some all the same: its
   * database may be built anew, or the account may not search, and nothing follows from what is not shown. Whether this cluster has
   * PersistentVolumes does not matter: what is looked for is noted somewhere, and may be the first of all. Throws, too, if a disk is on a
   * datastore as the one that CNS does not show.
   */
  assertShowing(question: SightQuestion): Promise<void>;
  /** Of a disk of which a vCenter says that it has no such volume. Throws, as above, if the disk is on a datastore there. */
  assertNoDisk(disk: { readonly id: string; readonly server: string; readonly signal: AbortSignal }): Promise<void>;
}

const blind = (server: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `vCenter ${server} lists no container volumes at all, so the driver does not conclude that a volume does not exist`,
    remedy:
      'The driver retries automatically. If this persists, grant the user of the credentials Secret the privilege Cns.Searchable at the root of the inventory.',
    // What was asked for before may be among what is not shown.
    effect: 'unknown',
    details: { server },
  });

export interface HiddenDisk {
  readonly server: string;
  readonly id: string;
  readonly name: string;
}

const hidden = (missing: SightQuestion['missing'], disk: HiddenDisk): VdoError => {
  const { server } = disk;
  const named = 'id' in missing ? `with the ID ${missing.id}` : `named ${missing.name}`;
  return new VdoError({
    code: 'EvidenceMissing',
    message: `vCenter ${server} has a first-class disk ${named} that is not in its list of container volumes, so the driver does not conclude that the volume does not exist`,
    remedy:
      'The driver retries automatically: vCenter may be rebuilding its database of container volumes. If this persists, find the disk with govc disk.ls -ds <datastore> and ask who created it.',
    effect: 'unknown',
    details: { server, hiddenDisk: disk },
  });
};

/** The first-class disk because of which nothing was concluded from what CNS does not show. */
export const hiddenDiskOf = (error: unknown): HiddenDisk | undefined =>
  isVdoError(error, 'EvidenceMissing') ? (error.details['hiddenDisk'] as HiddenDisk | undefined) : undefined;

const datastoresOf = async ({ inventory }: SightVCenter, signal: AbortSignal): Promise<readonly MoRef[]> =>
  [...(await inventory.read(['Datastore'], { signal })).values()]
    .map(({ ref }) => ref)
    .filter(({ type }) => type === 'Datastore');

/**
 * Whether there may be volumes that CNS does not show. Each block volume is a first-class disk, and those vCenter keeps in another place;
 * of shares it keeps no other list.
 */
const mayHide = async (vcenter: SightVCenter, { signal, kind }: SightQuestion): Promise<boolean> => {
  if (kind !== 'block') return true;
  try {
    for (const datastore of await datastoresOf(vcenter, signal))
      if ((await vcenter.firstClassDisks.list(datastore, { signal })).length > 0) return true;
    return false;
  } catch {
    signal.throwIfAborted();
    return true;
  }
};

/** So many ids are asked for at once. */
const batch = 500;
/** Disks that CNS does not show may be of other programs: of more than so many the rest is not looked at. */
const readsAtMost = 200;

/** The disks of a datastore. Where the account may not look, no volume of this cluster is put. */
const listDisks = ({ firstClassDisks }: SightVCenter, datastore: MoRef, signal: AbortSignal) =>
  firstClassDisks.list(datastore, { signal }).catch((error: unknown): readonly string[] => {
    if (isVdoError(error, 'VCenterPermissionDenied')) return [];
    throw error;
  });

const hiddenById = async (vcenter: SightVCenter, id: string, signal: AbortSignal): Promise<HiddenDisk | undefined> => {
  for (const datastore of await datastoresOf(vcenter, signal)) {
    if (!(await listDisks(vcenter, datastore, signal)).includes(id)) continue;
    const disk = await vcenter.firstClassDisks.get(datastore, id, { signal });
    if (disk) return { server: vcenter.server, id, name: disk.name };
  }
  return undefined;
};

const hiddenByName = async (vcenter: SightVCenter, name: string, signal: AbortSignal) => {
  const { cns, firstClassDisks, server } = vcenter;
  let looks = 0;
  for (const datastore of await datastoresOf(vcenter, signal)) {
    const ids = await listDisks(vcenter, datastore, signal);
    for (let at = 0; at < ids.length; at += batch) {
      const some = ids.slice(at, at + batch);
      const shown = new Set((await cns.queryVolumes({ volumeIds: some }, { signal })).map(({ id }) => id));
      for (const id of some.filter((one) => !shown.has(one))) {
        looks += 1;
        if (looks > readsAtMost) return undefined;
        if ((await firstClassDisks.get(datastore, id, { signal }))?.name === name) return { server, id, name };
      }
    }
  }
  return undefined;
};

/** The disk that CNS does not show, if it is on a datastore all the same. */
const hiddenDisk = (vcenter: SightVCenter, { signal, missing }: SightQuestion): Promise<HiddenDisk | undefined> =>
  'id' in missing ? hiddenById(vcenter, missing.id, signal) : hiddenByName(vcenter, missing.name, signal);

export const createSight = ({ vcenters, clock, blindMs = 600_000 }: SightDeps): Sight => {
  const seen = new Map<string, { readonly sinceMs: number; readonly lastMs: number }>();

  /** For how long nothing was shown, as far as somebody has asked. */
  const blindForMs = (server: string): number => {
    const nowMs = clock.monotonicMs();
    const before = seen.get(server);
    const isGap = before === undefined || nowMs - before.lastMs > blindMs;
    const sinceMs = isGap ? nowMs : before.sinceMs;
    seen.set(server, { sinceMs, lastMs: nowMs });
    return nowMs - sinceMs;
  };

  const assertShown = async (vcenter: SightVCenter, question: SightQuestion): Promise<void> => {
    const { server, cns } = vcenter;
    const showsAny = await cns.showsAny({ signal: question.signal });
    const hasNone = !showsAny && !(await mayHide(vcenter, question));
    if (showsAny || hasNone) seen.delete(server);
    else if (blindForMs(server) < blindMs) throw blind(server);
    // Also of one that has shown nothing for so long: its disks may be older than its database.
    const disk = !hasNone && question.kind === 'block' ? await hiddenDisk(vcenter, question) : undefined;
    if (disk) throw hidden(question.missing, disk);
  };

  return {
    assertShowing: async (question) => {
      for (const vcenter of vcenters)
        if (question.server === undefined || question.server === vcenter.server) await assertShown(vcenter, question);
    },
    assertNoDisk: async ({ id, server, signal }) => {
      const vcenter = vcenters.find((one) => one.server === server);
      const disk = vcenter && (await hiddenById(vcenter, id, signal));
      if (disk) throw hidden({ id }, disk);
    },
  };
};
