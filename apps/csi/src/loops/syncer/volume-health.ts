import type { Clock } from '@vdo/base/clock';
import type { KubeClient } from '@vdo/kube/client';
import { timestamp } from '@vdo/kube/conditions';
import type { EventRecorder } from '@vdo/kube/events';
import { type PersistentVolumeClaim, persistentVolumeClaims } from '@vdo/kube/types/core';

const healthAnnotation = 'volumehealth.storage.kubernetes.io/health';
const healthTimeAnnotation = 'volumehealth.storage.kubernetes.io/health-timestamp';
const healthCondition = 'VolumeHealthy';

/** The same words as in the Go driver; undefined if vCenter does not know. */
const toHealth = (status: string | undefined): 'accessible' | 'inaccessible' | undefined =>
  status === 'red' ? 'inaccessible' : status === 'green' || status === 'yellow' ? 'accessible' : undefined;

export interface HealthReporterDeps {
  readonly kube: KubeClient;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
}

/** Reports the health of volumes on their claims: an annotation and a condition, and an event when it changes. */
export const createHealthReporter =
  ({ kube, events, clock }: HealthReporterDeps) =>
  async (claim: PersistentVolumeClaim, status: string | undefined, signal: AbortSignal): Promise<void> => {
    const health = toHealth(status);
    const before = claim.metadata.annotations?.[healthAnnotation];
    if (health === undefined || health === before) return;
    const { name = '', namespace = '' } = claim.metadata;
    const time = timestamp(clock.now());
    const metadata = { annotations: { [healthAnnotation]: health, [healthTimeAnnotation]: time } };
    await kube.patch(persistentVolumeClaims, { name, namespace }, { type: 'merge', body: { metadata } }, { signal });
    const well = health === 'accessible';
    // That a volume is healthy is reported only if its health was reported before.
    if (well && before === undefined) return;
    const message = well
      ? 'vCenter can reach the volume again'
      : 'vCenter reports that the volume is not accessible (red): check its datastore and hosts in vCenter';
    const condition = {
      type: healthCondition,
      status: well ? 'True' : 'False',
      reason: well ? 'Accessible' : 'Inaccessible',
      lastTransitionTime: time,
      message,
    };
    // Conditions are merged by type, so those of other writers are kept.
    const patch = { type: 'strategic', body: { status: { conditions: [condition] } } } as const;
    await kube.patch(persistentVolumeClaims, { name, namespace }, patch, { signal, subresource: 'status' });
    events.record(claim, {
      type: well ? 'Normal' : 'Warning',
      reason: well ? 'VolumeConditionNormal' : 'VolumeConditionAbnormal',
      message,
    });
  };
