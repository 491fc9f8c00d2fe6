import { createActLog } from '@vdo/acts/act-log';
import { beginAttempt } from '@vdo/acts/begin-attempt';
import { removeFinalizer } from '@vdo/acts/objects/remove-finalizer';
import { withoutClusterId } from '@vdo/acts/sole-use';
import { openFence } from '@vdo/base/fence';
import { silentLogger } from '@vdo/base/logger';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys, finalizers, labelKeys, names } from '@vdo/config/names';
import { placesNote } from '@vdo/dashboard/source/places-note';
import { createInventory } from '@vdo/kube/apply/inventory';
import { describeRef, type ObjectRef, refKey, refOf } from '@vdo/kube/apply/object-ref';
import { phaseOf } from '@vdo/kube/apply/phases';
import { removeObjects } from '@vdo/kube/apply/remove-objects';
import { waitForReady } from '@vdo/kube/apply/wait-for-ready';
import { configMaps } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import type { BackFacts } from './back-facts.ts';
import { isElsewhere, readBackup, readObjects, writableRefs } from './backup.ts';
import { stop } from './operator-steps.ts';
import type { MigrationRecord } from './record.ts';
import { isAsBefore, nameOf, restoreObject } from './restore.ts';
import type { Scene } from './scene.ts';
import { waitUntil } from './wait.ts';

const key = { name: vsphereDriversName } as const;
/** The operator's own records, which a later operator must not reuse. The inventory is removed last, because it is read before. */
const notes = [names.releaseHistory, names.keptMatrix, names.keptSpec, names.inventory] as const;
/** The operator's record about the cluster; if an operator existed before the migration, this may be older. */
const observations = [placesNote.name, names.loginGuard] as const;

const isWorkload = (object: AnyObject): boolean => phaseOf(refOf(object)) === 'workloads';

/** The progress of undo: which previous objects still differ, and whether native drivers run. */
export const readBackFacts = async (scene: Scene): Promise<BackFacts> => {
  const { kube, signal } = scene;
  const backup = (await readBackup(kube, signal)).filter((object) => !isElsewhere(object));
  const live = new Map((await readObjects(kube, backup.map(refOf), signal)).map((one) => [refKey(refOf(one)), one]));
  const native = await Promise.all(
    [names.csiController, names.cpi].map((name) =>
      kube.find(deployments, { namespace: scene.namespace, name }, { signal }),
    ),
  );
  return {
    unlike: backup.filter((one) => !isAsBefore(one, live.get(refKey(refOf(one))))).map(nameOf),
    runsNative: native.some((one) => one?.metadata.labels?.[labelKeys.driver] !== undefined),
    hasDrivers: backup.some(isWorkload),
  };
};

const putBack = async (scene: Scene, backup: readonly AnyObject[], say: (text: string) => void): Promise<void> => {
  const { kube, clock, signal, timeoutMs } = scene;
  for (const object of backup) {
    say(`restoring ${nameOf(object)}`);
    await restoreObject(kube, object, signal);
  }
  await waitForReady(kube, backup.filter(isWorkload).map(refOf), {
    clock,
    signal,
    timeoutMs,
    onProgress: (waiting) => say(waiting.map(({ message }) => message).join('; ')),
  });
};

/** Objects that the operator applied and that did not exist before. Older objects are kept. */
const madeSince = async (
  scene: Scene,
  record: MigrationRecord,
  backup: readonly AnyObject[],
): Promise<readonly ObjectRef[]> => {
  const { kube, namespace, signal } = scene;
  const inventory = createInventory({
    client: kube,
    namespace,
    name: names.inventory,
    fieldManager: names.operator,
    logger: silentLogger,
  });
  const noted = (await inventory.read({ signal })) ?? [];
  const backedUp = new Set(backup.map((object) => refKey(refOf(object))));
  const others = noted.filter((ref) => !backedUp.has(refKey(ref)));
  const live = await readObjects(kube, others, signal);
  const old = live.filter(({ metadata }) => (metadata.creationTimestamp ?? '') < record.begun).map(refOf);
  const kept = new Set(old.map(refKey));
  return others.filter((ref) => !kept.has(refKey(ref)));
};

const removeMade = async (scene: Scene, refs: readonly ObjectRef[], say: (text: string) => void): Promise<void> => {
  const { kube, signal } = scene;
  await waitUntil(
    scene,
    'the objects of the operator to be removed',
    async () => {
      const { remaining } = await removeObjects(kube, refs, { fieldManager: names.operator, signal });
      return remaining.length === 0 || `waiting for ${remaining.map(describeRef).join(', ')}`;
    },
    say,
  );
};

/** Objects that still have the operator's labels would have no owner without the resource. */
const requireNothingOfOurs = async ({ kube, signal }: Scene): Promise<true> => {
  const call = { labelSelector: labelKeys.driver, signal };
  const [controllers, agents] = await Promise.all([kube.list(deployments, call), kube.list(daemonSets, call)]);
  const [left] = [...controllers.items, ...agents.items];
  if (!left) return true;
  throw new VdoError({
    code: 'ActRefused',
    message: `${left.metadata.namespace}/${left.metadata.name} still has the labels of the operator's drivers, so the resource is kept`,
    remedy: 'Run vdoctl migrate undo again. If it stays, collect data for a bug report with vdoctl support-bundle.',
  });
};

/** Deletes the resource while the operator, which would remove its drivers, is stopped. */
const letResourceGo = async (scene: Scene): Promise<void> => {
  const { kube, clock, random, signal } = scene;
  const found = await kube.find(vsphereDrivers, key, { signal }).catch((error: unknown) => {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  });
  if (!found) return;
  if (found.metadata.deletionTimestamp === undefined) {
    // The previous driver serves the volumes; admission may know only their number.
    const body = { metadata: { annotations: { [annotationKeys.allowRemoval]: 'true' } } };
    await kube.patch(vsphereDrivers, key, { type: 'merge', body }, { signal });
    const { uid } = found.metadata;
    await kube.delete(vsphereDrivers, key, { signal, ...(uid === undefined ? {} : { uid }) });
  }
  const acting = { client: kube, clock, random, fence: openFence, log: createActLog(), soleUse: withoutClusterId };
  const attempt = beginAttempt(acting, { act: 'let VSphereDrivers go', subject: key.name, signal });
  const nothing = await attempt.ask('objects with the labels of the drivers', () => requireNothingOfOurs(scene));
  const seen = await attempt.read(vsphereDrivers, key);
  if (seen.kind === 'absent' || seen.uid !== found.metadata.uid) return;
  await removeFinalizer(attempt, seen, { finalizer: finalizers.drivers, because: [nothing] });
};

/** Restores the previous drivers. Can be repeated from any point. */
export const giveBack = async (scene: Scene, record: MigrationRecord, say: (text: string) => void): Promise<void> => {
  const { kube, namespace, signal } = scene;
  await stop(scene, { namespace, name: names.operator }, say);
  const backup = await readBackup(kube, signal);
  const made = await madeSince(scene, record, backup);
  // Start the new before stopping the old, also for undo.
  await putBack(
    scene,
    backup.filter((object) => !isElsewhere(object)),
    say,
  );
  await removeMade(scene, made, say);
  await letResourceGo(scene);
  const { operatorReplicas, hadDefinition } = record.before;
  const all = operatorReplicas === null && !hadDefinition ? [...observations, ...notes] : notes;
  for (const name of all) await kube.delete(configMaps, { namespace, name }, { signal });
};

/** The backup for a new migration: all existing objects that the operator may write. */
export const readOwnObjects = (
  { kube, releases, signal }: Scene,
  { spec, extra }: { readonly spec: MigrationRecord['spec']; readonly extra: readonly ObjectRef[] },
): Promise<readonly AnyObject[]> => readObjects(kube, [...writableRefs(spec, releases), ...extra], signal);
