import type { Attempt } from '@vdo/acts/attempt';
import type { OpenVCenter } from '../../shared/checkup/open-vcenters.ts';

/** What each vCenter knows of the volume with this ID, as evidence of the attempt. */
export const askVolume = (
  id: string,
  attempt: Attempt,
  { vcenters, signal }: { readonly vcenters: readonly OpenVCenter[]; readonly signal: AbortSignal },
) =>
  Promise.all(
    vcenters.map(async ({ vcenter }) => ({
      vcenter,
      volume: await attempt.ask(`volume ${id} on ${vcenter.server}`, async () =>
        (await vcenter.cns.queryVolumes({ volumeIds: [id] }, { signal })).find((one) => one.id === id),
      ),
    })),
  );
