import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';

/** Arguments of the node pods that only tune them. */
const nodeArguments = [
  'dev-root',
  'fss-name',
  'fss-namespace',
  'log-level',
  'max-volumes',
  'sysfs-root',
  'topology-labels',
  'v',
];

/** Variables of the node pods that cannot make the program run other code. */
const nodeVariables =
  /^((HTTPS?|NO)_PROXY|(https?|no)_proxy|TZ|LANG|GOMAXPROCS|GOMEMLIMIT|GOGC|LOGGER_LEVEL|MAX_VOLUMES_PER_NODE|NODEGETINFO_WATCH_TIMEOUT_MINUTES|INCLUSTER_CLIENT_(QPS|BURST)|(X_)?CSI_[A-Z_]+)$/;

const refused = (field: string, allowed: string): VdoError =>
  new VdoError({
    code: 'ConfigInvalid',
    message: `spec.advanced.csiNode.${field} is not allowed: the node pods are privileged, so it could be used to run any code on every node`,
    remedy: `Remove it. Allowed are ${allowed}.`,
  });

/** Users may set only listed options of a privileged pod. VdoError ConfigInvalid names an option that is not on the list. */
export const requireHarmless = ({ advanced }: Pick<VSphereDriversSpec, 'advanced'>): void => {
  const { extraArgs = [], env = {} } = advanced.csiNode ?? {};
  const argument = extraArgs.findIndex((text) => !nodeArguments.includes(/^--?([\w-]+)=/.exec(text)?.[1] ?? ''));
  if (argument !== -1)
    throw refused(
      `extraArgs[${argument}]`,
      `${nodeArguments.map((name) => `--${name}=`).join(', ')}, each with a value`,
    );
  const variable = Object.keys(env).find((name) => !nodeVariables.test(name));
  if (variable !== undefined)
    throw refused(`env.${variable}`, 'those for proxies, the time zone and the upstream driver (CSI_…, X_CSI_…)');
};
