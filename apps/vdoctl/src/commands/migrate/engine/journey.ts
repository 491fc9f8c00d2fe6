import { VdoError } from '@vdo/base/vdo-error';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import { names } from '@vdo/config/names';
import { configMaps, persistentVolumes } from '@vdo/kube/types/core';
import { accountKeysOf } from './account-steps.ts';
import { advance } from './advance.ts';
import { readBackup, removeBackup, writeBackup } from './backup.ts';
import { readClusterFacts, replicasOf } from './cluster-facts.ts';
import { readBackFacts, readOwnObjects } from './give-back.ts';
import type { Migration, Source, Station } from './migration.ts';
import { phasesOf } from './plan.ts';
import {
  changeRecord,
  createRecord,
  type MigrationRecord,
  readRecord,
  recordKey,
  type StoredRecord,
} from './record.ts';
import { resourceOf } from './resource-of.ts';
import type { Scene } from './scene.ts';
import { differencesOf, readSnapshot } from './snapshot.ts';
import { type Turn, turnsOf, type Way } from './step.ts';

export interface JourneyOptions {
  readonly distribution: 'Native' | 'Upstream';
  readonly secretName: string;
}

/** A migration in a cluster. All its state is read from there. */
export const createJourney = (scene: Scene, migration: Migration) => {
  const { kube, namespace, signal } = scene;

  const secretNamesOf = (source: Source): readonly string[] => [
    ...new Set(source.accounts.map(({ secretName }) => secretName)),
  ];

  /** Reads everything. */
  const observe = async (stored: StoredRecord | undefined, way: Way = 'forward'): Promise<Station> => {
    const record = stored?.record;
    const source = await migration.read(scene, record);
    const facts = await readClusterFacts(kube, { namespace, secretNames: secretNamesOf(source), signal });
    const back = way === 'back' ? await readBackFacts(scene) : undefined;
    return { facts, source, ...(record ? { record } : {}), ...(back ? { back } : {}) };
  };

  const turns = (station: Station, way: Way = 'forward'): readonly Turn[] =>
    turnsOf(phasesOf(scene, migration, station), way, station.record?.confirmed);

  const beforeOf = async ({ facts, source }: Station): Promise<MigrationRecord['before']> => {
    const replicas = replicasOf(facts.upstreamOperator);
    return {
      operatorReplicas: replicasOf(facts.operator),
      hadDefinition: facts.hasCrd,
      hadResource: facts.resource !== undefined,
      secretKeys: accountKeysOf(facts),
      formerOperator:
        replicas === null ? null : { namespace: facts.upstreamOperator?.metadata.namespace ?? '', replicas },
      ...source.before,
      snapshot: await readSnapshot(kube, signal),
    };
  };

  /** Writes the record and the backup, before the first change. */
  const begin = async (
    station: Station,
    options: JourneyOptions,
    stored: StoredRecord | undefined,
  ): Promise<StoredRecord> => {
    const { source, facts } = station;
    // Validate here, to name the field, rather than let the API server refuse it half-way.
    parseVSphereDrivers(resourceOf(source.spec));
    const record: MigrationRecord = {
      format: 1,
      kind: migration.kind,
      state: 'forward',
      begun: new Date(scene.clock.now()).toISOString(),
      ...options,
      spec: source.spec,
      confirmed: [],
      before: await beforeOf(station),
    };
    const objects = facts.resource === undefined ? await readOwnObjects(scene, source) : [];
    await writeBackup(kube, objects, signal);
    await createRecord(kube, record, stored, signal);
    return requireRecord();
  };

  const requireRecord = async (): Promise<StoredRecord> => {
    const stored = await readRecord(kube, signal);
    if (stored) return stored;
    throw new VdoError({
      code: 'ConfigMissing',
      message: `ConfigMap ${recordKey.namespace}/${recordKey.name}, the record of the migration, does not exist any more`,
      remedy: 'The migration was finished or undone from another terminal. Run vdoctl status to see the state.',
    });
  };

  const go = (way: Way, say: (text: string) => void): Promise<readonly Turn[]> =>
    advance({
      way,
      say,
      observe: async () => {
        const station = await observe(await requireRecord(), way);
        return { phases: phasesOf(scene, migration, station), confirmed: station.record?.confirmed ?? [] };
      },
    });

  /** Without the operator's driver and without a previous one, volumes created since then would have no driver. */
  const requireServed = async (): Promise<void> => {
    const backup = await readBackup(kube, signal);
    if (backup.some(({ kind, metadata }) => kind === 'Deployment' && metadata.name === names.csiController)) return;
    const { items } = await kube.list(persistentVolumes, { signal });
    const ours = items.filter(({ spec }) => spec.csi?.driver === names.csiDriver).map(({ metadata }) => metadata.name);
    if (ours.length === 0) return;
    throw new VdoError({
      code: 'VolumesInUse',
      message: `${ours.length} PersistentVolumes of ${names.csiDriver} (${ours.slice(0, 5).join(', ')}${ours.length > 5 ? ', …' : ''}) would have no driver, because there was none before the migration; nothing was changed`,
      remedy:
        'Keep the storage driver and continue the migration. You can restore only the settings of the control plane and the kubelets, manually.',
    });
  };

  /** Deletes the record and the backup. */
  const forget = async (): Promise<void> => {
    await removeBackup(kube, signal);
    await kube.delete(configMaps, recordKey, { signal });
  };

  return {
    observe,
    turns,
    begin,
    confirm: async (ids: readonly string[]): Promise<void> => {
      const stored = await requireRecord();
      const confirmed = [...new Set([...stored.record.confirmed, ...ids])];
      if (confirmed.length > stored.record.confirmed.length) await changeRecord(kube, stored, { confirmed }, signal);
    },
    forward: (say: (text: string) => void) => go('forward', say),
    /** Switches to undo, and goes back as far as possible without manual steps. */
    back: async (say: (text: string) => void): Promise<readonly Turn[]> => {
      const stored = await requireRecord();
      if (stored.record.state === 'undone') {
        await forget();
        return [];
      }
      if (stored.record.state === 'forward') {
        await requireServed();
        await changeRecord(kube, stored, { state: 'back' }, signal);
      }
      const left = await go('back', say);
      if (left.some(({ state }) => state === 'due' || state === 'waits')) return left;
      await changeRecord(kube, await requireRecord(), { state: 'undone' }, signal);
      await forget();
      return left;
    },
    /** The differences from before. */
    differences: async (record: MigrationRecord): Promise<readonly string[]> =>
      differencesOf(record.before.snapshot, record.after ?? (await readSnapshot(kube, signal))),
    /** Passes the point of no return. */
    finish: async (): Promise<void> => {
      const stored = await requireRecord();
      const after = await readSnapshot(kube, signal);
      if (stored.record.state === 'forward') await changeRecord(kube, stored, { state: 'finished', after }, signal);
      await migration.finish(scene, stored.record);
      await removeBackup(kube, signal);
    },
  };
};

export type Journey = ReturnType<typeof createJourney>;
