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
/** What the operator notes about its own work, which a next one must not take for its own. The inventory goes last: it is asked. */
const notes = [names.releaseHistory, names.keptMatrix, names.keptSpec, names.inventory] as const;
/** What it notes about the cluster; of an operator that was there before it may be older than the migration. */
const observations = [placesNote.name, names.loginGuard] as const;

const isWorkload = (object: AnyObject): boolean => phaseOf(refOf(object)) === 'workloads';

/** How far the way back is: what of the former objects is not as it was, and whether native drivers run. */
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
    say(`putting ${nameOf(object)} back as it was`);
    await restoreObject(kube, object, signal);
  }
  await waitForReady(kube, backup.filter(isWorkload).map(refOf), {
    clock,
    signal,
    timeoutMs,
    onProgress: (waiting) => say(waiting.map(({ message }) => message).join('; ')),
  });
};

/** What the operator has applied and was not there before. What is older than the migration was not made by it, and stays. */
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
  const former = new Set(backup.map((object) => refKey(refOf(object))));
  const others = noted.filter((ref) => !former.has(refKey(ref)));
  const live = await readObjects(kube, others, signal);
  const old = live.filter(({ metadata }) => (metadata.creationTimestamp ?? '') < record.begun).map(refOf);
  const kept = new Set(old.map(refKey));
  return others.filter((ref) => !kept.has(refKey(ref)));
};

const removeMade = async (scene: Scene, refs: readonly ObjectRef[], say: (text: string) => void): Promise<void> => {
  const { kube, signal } = scene;
  await waitUntil(
    scene,
    'the end of what the operator made',
    async () => {
      const { remaining } = await removeObjects(kube, refs, { fieldManager: names.operator, signal });
      return remaining.length === 0 || `waiting for ${remaining.map(describeRef).join(', ')}`;
    },
    say,
  );
};

/** Who still bears the operator's labels would be nobody's without the resource. */
const requireNothingOfOurs = async ({ kube, signal }: Scene): Promise<true> => {
  const call = { labelSelector: labelKeys.driver, signal };
  const [controllers, agents] = await Promise.all([kube.list(deployments, call), kube.list(daemonSets, call)]);
  const [left] = [...controllers.items, ...agents.items];
  if (!left) return true;
  throw new VdoError({
    code: 'ActRefused',
    message: `${left.metadata.namespace}/${left.metadata.name} still bears the labels of the operator's drivers: the resource stays`,
    remedy:
      'Run vdoctl migrate undo again. If it stays, vdoctl support-bundle collects what is needed to find out why.',
  });
};

/** Lets the resource go while the operator that would remove its drivers stands still. */
const letResourceGo = async (scene: Scene): Promise<void> => {
  const { kube, clock, random, signal } = scene;
  const found = await kube.find(vsphereDrivers, key, { signal }).catch((error: unknown) => {
    if (isVdoError(error, 'KubeResourceMissing')) return undefined;
    throw error;
  });
  if (!found) return;
  if (found.metadata.deletionTimestamp === undefined) {
    // Volumes keep their driver, the former one: admission may know no more than their number.
    const body = { metadata: { annotations: { [annotationKeys.allowRemoval]: 'true' } } };
    await kube.patch(vsphereDrivers, key, { type: 'merge', body }, { signal });
    const { uid } = found.metadata;
    await kube.delete(vsphereDrivers, key, { signal, ...(uid === undefined ? {} : { uid }) });
  }
  const acting = { client: kube, clock, random, fence: openFence, log: createActLog(), soleUse: withoutClusterId };
  const attempt = beginAttempt(acting, { act: 'let VSphereDrivers go', subject: key.name, signal });
  const nothing = await attempt.ask('what bears the labels of drivers', () => requireNothingOfOurs(scene));
  const seen = await attempt.read(vsphereDrivers, key);
  if (seen.kind === 'absent' || seen.uid !== found.metadata.uid) return;
  await removeFinalizer(attempt, seen, { finalizer: finalizers.drivers, because: [nothing] });
};

/** Takes the drivers from the operator and gives them back to who had them. May be repeated from any point. */
export const giveBack = async (scene: Scene, record: MigrationRecord, say: (text: string) => void): Promise<void> => {
  const { kube, namespace, signal } = scene;
  await stop(scene, { namespace, name: names.operator }, say);
  const backup = await readBackup(kube, signal);
  const made = await madeSince(scene, record, backup);
  // New before old, on the way back too.
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

/** For who begins: everything that is there of what the operator may write. */
export const readFormerObjects = (
  { kube, releases, signal }: Scene,
  { spec, extra }: { readonly spec: MigrationRecord['spec']; readonly extra: readonly ObjectRef[] },
): Promise<readonly AnyObject[]> => readObjects(kube, [...writableRefs(spec, releases), ...extra], signal);
