import type { Clock } from '@vdo/base/clock';
import type { Sandbox } from '@vdo/sandbox/sandbox-options';
import type { Progress } from '../../output/progress.ts';
import { alignRows } from '../../output/table.ts';

/** The first line: what is started, and how to stop it. */
export const introduction = (places: { readonly vcenter: string; readonly cluster: string }): string =>
  `VDO sandbox: ${places.vcenter} and ${places.cluster}. Press Ctrl-C to stop.\n\n`;

/** Prefixes each finished step with the elapsed time. */
export const timed = (progress: Progress, clock: Clock): Progress => {
  const startMs = clock.monotonicMs();
  const seconds = (): string => `${((clock.monotonicMs() - startMs) / 1000).toFixed(1).padStart(5)} s`;
  return {
    update: progress.update,
    done: (text) => progress.done(`${seconds()}  ${text}`),
    end: progress.end,
  };
};

/** The addresses, and commands to try. */
export const whatNow = (
  { kubeconfig, context, vcenter, dashboard }: Pick<Sandbox, 'kubeconfig' | 'context' | 'vcenter' | 'dashboard'>,
  name?: string,
): string => {
  const vdoctl = name === undefined ? 'npx vdoctl' : `npx vdoctl --sandbox ${name}`;
  const places = alignRows([
    ['Dashboard', dashboard],
    ['Kubeconfig', kubeconfig],
    ...(vcenter.isSimulated
      ? [
          ['vCenter', `${vcenter.url}  (${vcenter.username} / ${vcenter.password})`],
          ...(vcenter.administrator
            ? [['', `administrator: ${vcenter.administrator.username} / ${vcenter.administrator.password}`]]
            : []),
        ]
      : [['vCenter', `${vcenter.url}  (${vcenter.username})`]]),
  ]);
  // Faults need the simulated vCenter.
  const fault = vcenter.isSimulated ? 'vcenter-down' : 'csi-controller-killed';
  const tries = alignRows([
    [`${vdoctl} status`, 'show the health; finds this sandbox automatically'],
    [`${vdoctl} nodes`, 'show the VM of each node'],
    [`${vdoctl} sandbox break ${fault}`, 'inject a fault, then run vdoctl status and vdoctl events'],
    [`${vdoctl} sandbox heal`, 'remove the fault'],
    [`${vdoctl} sandbox break`, 'list all faults'],
  ]);
  return [
    ...places,
    '',
    'Try, in another terminal:',
    ...tries.map((line) => `  ${line}`),
    `  kubectl --kubeconfig ${kubeconfig}${context === undefined ? '' : ` --context ${context}`} get pods -A`,
    '',
    'The sandbox runs until you press Ctrl-C. It then removes everything it has created.',
    '',
  ].join('\n');
};
