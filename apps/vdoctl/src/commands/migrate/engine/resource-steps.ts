import { VdoError } from '@vdo/base/vdo-error';
import { isReady } from '@vdo/config/api/health';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { BackFacts } from './back-facts.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { giveBack } from './give-back.ts';
import type { MigrationRecord } from './record.ts';
import { resourceOf } from './resource-of.ts';
import type { Scene } from './scene.ts';
import type { Action, Step } from './step.ts';
import { waitUntil } from './wait.ts';

const key = { name: vsphereDriversName } as const;

const stalledOf = ({ status }: VSphereDrivers) =>
  status?.conditions?.find(({ type, status: value }) => type === 'Stalled' && value === 'True');

/** Waits for the operator. If the operator is stalled, the error has the operator's message. */
const waitForDrivers = (scene: Scene, what: string, say: (text: string) => void): Promise<void> =>
  waitUntil(
    scene,
    what,
    async () => {
      const resource = await scene.kube.find(vsphereDrivers, key, { signal: scene.signal });
      if (!resource) return 'there is no VSphereDrivers resource';
      if (isReady(resource) && resource.status?.observedGeneration === resource.metadata.generation) return true;
      const stalled = stalledOf(resource);
      if (stalled && resource.status?.observedGeneration === resource.metadata.generation)
        throw new VdoError({
          code: 'ActRefused',
          message: `the operator cannot continue: ${stalled.message}`,
          remedy:
            'The previous drivers keep running. Fix the problem and run the same command again, or undo the migration: vdoctl migrate undo.',
        });
      const ready = resource.status?.conditions?.find(({ type }) => type === 'Ready');
      return ready?.message || 'the operator has not reported yet';
    },
    say,
  );

/** A resource that existed before the migration is not changed, and is kept. */
export const resourceStep = (
  scene: Scene,
  facts: ClusterFacts,
  options: { readonly record: MigrationRecord | undefined; readonly source: string; readonly back?: BackFacts },
): Step => {
  const { kube, signal } = scene;
  const { record, source, back } = options;
  const { resource } = facts;
  const undo: Action = {
    what: back?.hasDrivers
      ? 'stop the operator, restore the previous drivers, and remove the objects that the operator created'
      : 'stop the operator and remove the objects that it created; volumes are kept',
    who: 'vdoctl',
    isDone: resource === undefined && !facts.hasInventory && (back?.unlike.length ?? 0) === 0,
    ...(record ? { perform: (say) => giveBack(scene, record, say) } : {}),
  };
  return {
    id: 'resource',
    where: 'cluster',
    forward: {
      what: `create VSphereDrivers cluster from ${source}`,
      who: 'vdoctl',
      isDone: resource !== undefined,
      ...(record
        ? {
            perform: async () => {
              const object = resourceOf(record.spec) as unknown as VSphereDrivers;
              await kube.create(vsphereDrivers, object, { fieldManager: 'vdoctl', signal });
            },
          }
        : {}),
    },
    ...(record?.before.hadResource ? {} : { back: undo }),
  };
};

export const driversStep = (
  scene: Scene,
  facts: ClusterFacts,
  options: { readonly what: string; readonly back?: BackFacts; readonly hadResource?: boolean },
): Step => {
  const { kube, signal } = scene;
  const { resource } = facts;
  const { what, back } = options;
  const mustFollow = back?.runsNative === true && back.hasDrivers && resource !== undefined;
  return {
    id: 'drivers',
    where: 'cluster',
    forward: {
      what,
      who: 'vdoctl',
      isDone: isReady(resource) && resource?.status?.observedGeneration === resource?.metadata.generation,
      perform: (say) => waitForDrivers(scene, 'the drivers to run', say),
      commands: ['vdoctl status --watch'],
    },
    ...(options.hadResource
      ? {}
      : {
          back: {
            what: 'switch from the native to the upstream drivers',
            who: 'vdoctl',
            isDone: !mustFollow,
            perform: async (say) => {
              const body = { spec: { distribution: 'Upstream' } };
              await kube.patch(vsphereDrivers, key, { type: 'merge', body }, { signal });
              await waitForDrivers(scene, 'the upstream drivers to run', say);
            },
          },
        }),
  };
};
