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
  /** A vCenter that has listed no volumes at all for this time has none; 10 min by default. */
  readonly blindMs?: number;
}

export interface SightQuestion {
  readonly signal: AbortSignal;
  /** All of them by default. */
  readonly server?: string;
  /** The kind of the volume that was not found; by default it may be either. */
  readonly kind?: VolumeKind | undefined;
  /** The volume that was not found. */
  readonly missing: { readonly id: string } | { readonly name: string };
}

/** Checks whether a volume that vCenter does not list really does not exist. */
export interface Sight {
  /**
   * Must be called between two searches that found nothing. Throws if a vCenter lists no volumes at all, but may have some: its database may
   * be being rebuilt, or the account may lack the privilege to search, so nothing may be concluded from missing volumes. This does not depend on
   * the PersistentVolumes of this cluster: the volume in question is recorded somewhere, and may be the first one. Also throws if a datastore has
   * the disk that CNS does not list.
   */
  assertShowing(question: SightQuestion): Promise<void>;
  /** For a disk whose volume a vCenter reports as not found. Throws, as above, if a datastore there has the disk. */
  assertNoDisk(disk: { readonly id: string; readonly server: string; readonly signal: AbortSignal }): Promise<void>;
}

const blind = (server: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `vCenter ${server} lists no container volumes at all, so the driver does not conclude that a volume does not exist`,
    remedy:
      'The driver retries automatically. If this persists, grant the user of the credentials Secret the privilege Cns.Searchable at the root of the inventory.',
    // A volume that was requested before may be among those that are not listed.
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

/** The first-class disk that proves that CNS does not list everything. */
export const hiddenDiskOf = (error: unknown): HiddenDisk | undefined =>
  isVdoError(error, 'EvidenceMissing') ? (error.details['hiddenDisk'] as HiddenDisk | undefined) : undefined;

const datastoresOf = async ({ inventory }: SightVCenter, signal: AbortSignal): Promise<readonly MoRef[]> =>
  [...(await inventory.read(['Datastore'], { signal })).values()]
    .map(({ ref }) => ref)
    .filter(({ type }) => type === 'Datastore');

/**
 * Whether there may be volumes that CNS does not list. Each block volume is a first-class disk, for which vCenter has a separate list; for
 * shares there is no other list.
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

/** Number of IDs per request. */
const batch = 500;
/** Disks that CNS does not list may belong to other programs. At most this number of them is checked. */
const readsAtMost = 200;

/** The disks of a datastore. On datastores that the account may not read, this cluster creates no volumes. */
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

/** The disk that CNS does not list but that a datastore has. */
const hiddenDisk = (vcenter: SightVCenter, { signal, missing }: SightQuestion): Promise<HiddenDisk | undefined> =>
  'id' in missing ? hiddenById(vcenter, missing.id, signal) : hiddenByName(vcenter, missing.name, signal);

export const createSight = ({ vcenters, clock, blindMs = 600_000 }: SightDeps): Sight => {
  const seen = new Map<string, { readonly sinceMs: number; readonly lastMs: number }>();

  /** Since when a vCenter has listed nothing, as far as it was asked. */
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
    // Also for a vCenter that has listed nothing for that time: its disks may be older than its database.
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
