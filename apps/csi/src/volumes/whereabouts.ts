import type { Attempt } from '@vdo/acts/attempt';
import { VdoError } from '@vdo/base/vdo-error';
import type { CsiVCenter } from './csi-vcenter.ts';
import { assertOwn } from './own-volumes.ts';
import type { Whereabouts } from './permissions.ts';
import { toVolume } from './volume-locator.ts';

export const whereaboutsUnknown = (id: string, why: string): VdoError =>
  new VdoError({
    code: 'ActRefused',
    message: `volume ${id} is kept: ${why}`,
    remedy:
      'If its disk no longer exists or is to be kept, set persistentVolumeReclaimPolicy of the PersistentVolume to Retain and delete the PersistentVolume.',
  });

/**
 * Finds the vCenter of a volume; `noted` is the recorded instanceUuid of the vCenter that had it. If CNS does not list the volume, this proves
 * nothing: its database may be outdated or hide it. Then the recorded vCenter is used, or the only one. Undefined if that is not known, either.
 */
export const createWhereabouts =
  (deps: { readonly vcenters: readonly CsiVCenter[]; readonly clusterId: string }) =>
  async (
    attempt: Attempt,
    { id, noted }: { readonly id: string; readonly noted: string | undefined },
    signal: AbortSignal,
  ): Promise<Whereabouts | undefined> => {
    const { vcenters, clusterId } = deps;
    const ask = (vcenter: CsiVCenter) =>
      attempt.ask(`volume ${id} on ${vcenter.server}`, async () => {
        const shown = await vcenter.cns.queryVolumes({ volumeIds: [id] }, { signal });
        return shown.find((volume) => volume.id === id);
      });
    const identify = (vcenter: CsiVCenter) =>
      attempt.ask(`which vCenter ${vcenter.server} is`, async () => ({
        instanceUuid: await vcenter.instanceUuid({ signal }),
      }));

    const answers = await Promise.allSettled(vcenters.map(ask));
    signal.throwIfAborted();
    const answered = vcenters.flatMap((vcenter, index) => {
      const answer = answers[index];
      return answer?.status === 'fulfilled' ? [{ vcenter, volume: answer.value }] : [];
    });
    const showing = answered.find(({ volume }) => volume.value !== undefined);
    if (showing?.volume.value) assertOwn(toVolume(showing.vcenter.server, showing.volume.value), clusterId);
    // A vCenter that does not answer may be the one that has it.
    const failure = answers.find((answer) => answer.status === 'rejected');
    if (!showing && failure) throw failure.reason;

    const possible = showing ? [showing] : answered;
    if (noted === undefined && possible.length !== 1) return undefined;
    const identified = await Promise.all(
      possible.map(async (one) => ({ ...one, identity: await identify(one.vcenter) })),
    );
    const found = identified.filter(
      ({ identity }) => noted === undefined || identity.value.instanceUuid.toLowerCase() === noted.toLowerCase(),
    );
    if (found.length === 1) return found[0];
    throw whereaboutsUnknown(
      id,
      `it was on the vCenter with instance UUID ${noted}, which is not the vCenter that is configured now`,
    );
  };
