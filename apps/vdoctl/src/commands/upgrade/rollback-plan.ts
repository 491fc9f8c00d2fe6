import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { Matrix } from '@vdo/releases/matrix';
import { pickRelease } from '@vdo/releases/pick-release';
import { knownGood, noHistory, type ReleaseHistory, releaseBefore, withKnown } from '@vdo/releases/release-history';
import { knownLayouts } from '@vdo/releases/render/layouts';
import { vcenterVersionsOf } from '../../shared/releases/vcenter-versions.ts';

export interface RollbackStep {
  readonly driver: 'cpi' | 'csi';
  readonly running: string | null;
  /** Null: no change. */
  readonly to: string | null;
  /** Releases that were healthy here, the latest first. */
  readonly known: readonly string[];
}

export interface RollbackInput {
  readonly resource: VSphereDrivers;
  readonly history: ReleaseHistory;
  readonly named: { readonly cpi?: string | undefined; readonly csi?: string | undefined };
}

/** The release that each driver rolls back to. */
export const planRollback = ({ resource, history, named }: RollbackInput): readonly RollbackStep[] =>
  (['cpi', 'csi'] as const)
    .filter((driver) => resource.spec[driver] !== undefined)
    .map((driver) => {
      const { distribution } = resource.spec;
      const shown = resource.status?.drivers?.find(({ kind }) => kind === driver.toUpperCase());
      const running = shown?.version;
      const own = history[driver] ?? noHistory;
      const before = releaseBefore(own, running === undefined ? undefined : { distribution, version: running });
      const isBack = before?.distribution === distribution && before.version !== running;
      return {
        driver,
        running: running ?? null,
        to: named[driver] ?? (isBack ? before.version : null),
        known: knownGood(own)
          .filter((one) => one.distribution === distribution)
          .map(({ version }) => version),
      };
    });

/** Throws NoCompatibleRelease for a step that the operator would refuse, before anything is changed. */
export const requirePossible = (
  steps: readonly RollbackStep[],
  input: Omit<RollbackInput, 'named'> & { readonly matrix: Matrix; readonly kubernetesVersion: string },
): void => {
  const { resource, history, matrix, kubernetesVersion } = input;
  const { distribution, cpi } = resource.spec;
  for (const { driver, running, to } of steps) {
    if (to === null || to === running) continue;
    pickRelease({
      matrix: withKnown(matrix, history[driver] ?? noHistory),
      driver,
      distribution,
      kubernetesVersion,
      vcenterVersions: vcenterVersionsOf(resource),
      layouts: knownLayouts,
      policy: 'Pinned',
      wanted: to,
      hasCpi: driver === 'cpi' || cpi !== undefined,
      ...(running === null ? {} : { installed: running }),
    });
  }
};
