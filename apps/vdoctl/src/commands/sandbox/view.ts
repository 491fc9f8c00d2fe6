import type { Clock } from '@vdo/base/clock';
import type { Sandbox } from '@vdo/sandbox/sandbox-options';
import type { Progress } from '../../output/progress.ts';
import { alignRows } from '../../output/table.ts';

/** What is started, and how it ends. */
export const introduction = (places: { readonly vcenter: string; readonly cluster: string }): string =>
  `VDO sandbox: ${places.vcenter} and ${places.cluster}. Ctrl-C ends it.\n\n`;

/** Says of each finished step when it was. */
export const timed = (progress: Progress, clock: Clock): Progress => {
  const startMs = clock.monotonicMs();
  const seconds = (): string => `${((clock.monotonicMs() - startMs) / 1000).toFixed(1).padStart(5)} s`;
  return {
    update: progress.update,
    done: (text) => progress.done(`${seconds()}  ${text}`),
    end: progress.end,
  };
};

/** Where everything is, and what to do with it. */
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
  // Nobody can break a vCenter that is not ours.
  const fault = vcenter.isSimulated ? 'vcenter-down' : 'csi-controller-killed';
  const tries = alignRows([
    [`${vdoctl} status`, 'health at a glance; finds this sandbox by itself'],
    [`${vdoctl} nodes`, 'which node is which VM'],
    [`${vdoctl} sandbox break ${fault}`, 'break something, then look: vdoctl status, vdoctl events'],
    [`${vdoctl} sandbox heal`, 'make it well again'],
    [`${vdoctl} sandbox break`, 'what else can break'],
  ]);
  return [
    ...places,
    '',
    'Try, in another terminal:',
    ...tries.map((line) => `  ${line}`),
    `  kubectl --kubeconfig ${kubeconfig}${context === undefined ? '' : ` --context ${context}`} get pods -A`,
    '',
    'It runs until you press Ctrl-C, which removes what it has made and leaves nothing behind.',
    '',
  ].join('\n');
};
