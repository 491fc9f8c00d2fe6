import { sleep } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { healthOf, isReady } from '@vdo/config/api/health';
import type { UpdatesSpec } from '@vdo/config/api/updates-spec';
import { type VSphereDrivers, vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import type { CliContext } from '../../cli/context.ts';
import type { WaitFlags } from '../../cli/options.ts';
import { createProgress } from '../../output/progress.ts';

export interface ReleaseChange {
  readonly policy?: UpdatesSpec['policy'];
  readonly versions: { readonly cpi?: string; readonly csi?: string };
}

const pollMs = 1_000;

/** Whether the drivers run these releases and are healthy. */
const runs = (resource: VSphereDrivers, { versions }: ReleaseChange): boolean =>
  isReady(resource) &&
  Object.entries(versions).every(
    ([kind, version]) => resource.status?.drivers?.find((one) => one.kind === kind.toUpperCase())?.version === version,
  );

/** Sets the releases in the resource and, by default, waits until they run. */
export const changeReleases = async (
  kube: KubeClient,
  change: ReleaseChange,
  flags: WaitFlags,
  context: Pick<CliContext, 'clock' | 'signal' | 'terminal' | 'env'>,
): Promise<void> => {
  const { clock, signal } = context;
  const key = { name: vsphereDriversName };
  const updates = { ...(change.policy === undefined ? {} : { policy: change.policy }), versions: change.versions };
  const written = await kube.patch(vsphereDrivers, key, { type: 'merge', body: { spec: { updates } } }, { signal });
  if (!flags.wait) return;
  const progress = createProgress({ terminal: context.terminal, env: context.env });
  const giveUpMs = clock.monotonicMs() + flags.timeout * 1000;
  try {
    for (;;) {
      const resource = await kube.get(vsphereDrivers, key, { signal });
      const { word, reason } = healthOf(resource);
      const seen = (resource.status?.observedGeneration ?? 0) >= (written.metadata.generation ?? 0);
      const drivers = resource.status?.drivers ?? [];
      if (seen && runs(resource, change)) {
        progress.done(`the releases are running; health: ${word}`);
        return;
      }
      if (seen && word === 'ActionRequired') {
        throw new VdoError({
          code: 'WorkloadsNotReady',
          message: reason,
          remedy: 'Run vdoctl status and vdoctl events for details.',
        });
      }
      if (clock.monotonicMs() >= giveUpMs) {
        throw new VdoError({
          code: 'DeadlineExceeded',
          message: `the releases are not running after ${flags.timeout} s: ${word}${reason === '' ? '' : `, ${reason}`}`,
          remedy: 'The operation continues in the cluster. To follow it: vdoctl status --watch',
        });
      }
      const rollouts = drivers.map(
        ({ kind, version, target }) => `${kind} ${version ?? '-'}${target ? ` to ${target}` : ''}`,
      );
      progress.update(`${rollouts.join(', ')}: ${reason || word}`);
      await sleep(clock, pollMs, { signal });
    }
  } finally {
    progress.end();
  }
};
