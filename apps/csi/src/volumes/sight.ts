import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { CsiVCenter } from './csi-vcenter.ts';

export interface SightDeps {
  readonly vcenters: readonly Pick<CsiVCenter, 'server' | 'cns'>[];
  readonly clock: Clock;
  /** Whether this cluster has volumes that it should show. */
  readonly hasVolumes: () => boolean;
  /** A vCenter that has shown no volume at all for so long has none. Default 10 min. */
  readonly blindMs?: number;
}

/** Tells whether what a vCenter does not show is not there. */
export interface Sight {
  /**
   * To be asked between two looks that found nothing. Throws if this cluster has volumes and a vCenter shows none of anybody: its database
   * may be built anew, or the account may not search, and nothing follows from what is not shown.
   */
  assertShowing(options: { readonly signal: AbortSignal; readonly server?: string }): Promise<void>;
}

const blind = (server: string): VdoError =>
  new VdoError({
    code: 'EvidenceMissing',
    message: `vCenter ${server} shows no container volume at all, so that nothing is concluded from what it does not show`,
    remedy:
      'It is tried again by itself. If it stays, grant Cns.Searchable at the root of the inventory to the user of the credentials Secret.',
    // What was asked for before may be among what is not shown.
    effect: 'unknown',
    details: { server },
  });

export const createSight = ({ vcenters, clock, hasVolumes, blindMs = 600_000 }: SightDeps): Sight => {
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

  return {
    assertShowing: async ({ signal, server: only }) => {
      for (const { server, cns } of vcenters) {
        if ((only !== undefined && server !== only) || !hasVolumes()) continue;
        if (await cns.showsAny({ signal })) seen.delete(server);
        else if (blindForMs(server) < blindMs) throw blind(server);
      }
    },
  };
};
