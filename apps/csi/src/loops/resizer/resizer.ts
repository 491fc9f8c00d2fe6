import type { Logger } from '@vdo/base/logger';
import type { Metrics } from '@vdo/base/metrics';
import type { Random } from '@vdo/base/random';
import { leaseNames } from '@vdo/config/names';
import { createController } from '@vdo/kube/create-controller';
import { enqueueOn } from '@vdo/kube/enqueue-on';
import type { Change } from '@vdo/kube/informer';
import type { PersistentVolume, PersistentVolumeClaim } from '@vdo/kube/types/core';
import { traceOfClaim } from '../trace-fields.ts';
import { resizeStatus } from './decide-resize.ts';
import { createClaimModifier, type ModifyClaimDeps } from './modify-claim.ts';
import { createClaimResizer, type ResizeClaimDeps } from './resize-claim.ts';

export interface ResizerDeps extends ResizeClaimDeps, ModifyClaimDeps {
  readonly volumes: ResizeClaimDeps['volumes'] & ModifyClaimDeps['volumes'];
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long operations in progress may continue after the signal to stop; not at all by default. */
  readonly drainMs?: number;
  /** Number of claims that are processed concurrently; 10 by default. */
  readonly workers?: number;
}

/** The Lease of the upstream csi-resizer: only its holder expands and modifies volumes. */
export const resizerLease = leaseNames.resizer;

// The loops write errors and progress into the objects. These changes must not trigger an immediate retry.
const wishOf = ({ metadata, spec, status }: PersistentVolumeClaim): string =>
  JSON.stringify([
    metadata.deletionTimestamp,
    spec,
    status?.phase,
    status?.capacity,
    status?.allocatedResourceStatuses?.storage === resizeStatus.nodeInfeasible,
  ]);
const isNews = ({ type, object, previous }: Change<PersistentVolumeClaim>): boolean =>
  type !== 'updated' || previous === undefined || wishOf(object) !== wishOf(previous);

const claimKeys = ({ spec: { claimRef } }: PersistentVolume): readonly string[] =>
  claimRef?.name === undefined ? [] : [`${claimRef.namespace ?? ''}/${claimRef.name}`];

/** Does the work of the upstream csi-resizer while it is the leader. */
export const runResizer = async (deps: ResizerDeps, signal: AbortSignal): Promise<void> => {
  const { informers, workers = 10 } = deps;
  const fieldsOf = traceOfClaim(informers);
  const resize = createController({ ...deps, fieldsOf, name: 'resize', workers, reconcile: createClaimResizer(deps) });
  const modify = createController({ ...deps, fieldsOf, name: 'modify', workers, reconcile: createClaimModifier(deps) });
  await Promise.all([informers.claims, informers.volumes].map((informer) => informer.waitForSync({ signal })));
  const unsubscribe: (() => void)[] = [];
  for (const controller of [resize, modify]) {
    await informers.turn();
    unsubscribe.push(enqueueOn(informers.claims, controller, { when: isNews }));
    // A claim may request more before its PersistentVolume is in the cache.
    unsubscribe.push(
      enqueueOn(informers.volumes, controller, { when: ({ type }) => type === 'added', keys: claimKeys }),
    );
  }
  try {
    await Promise.all([resize.run(signal), modify.run(signal)]);
  } finally {
    for (const end of unsubscribe) end();
  }
};
