import { waitUntil } from '@vdo/base/async/wait-until';
import { sleep } from '@vdo/base/clock';
import { isVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import { annotationKeys } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { CliContext } from '../../cli/context.ts';

type Deps = Pick<CliContext, 'clock' | 'random' | 'signal'>;

/** Requests a run of all checks from the operator. */
export const askForChecks = async (kube: KubeClient, { random, signal }: Deps): Promise<void> => {
  const body = { metadata: { annotations: { [annotationKeys.runChecks]: random.uuid() } } };
  await kube.patch(vsphereDrivers, { name: vsphereDriversName }, { type: 'merge', body }, { signal });
};

const timeoutMs = 60_000;
const secondMs = 1_100;

/** Requests a run and waits for the results. False if the operator did not answer in time. */
export const refreshChecks = async (kube: KubeClient, deps: Deps): Promise<boolean> => {
  const { clock, signal } = deps;
  const lastRun = async () =>
    (await kube.get(vsphereDrivers, { name: vsphereDriversName }, { signal })).status?.checks?.lastRunTime ?? '';
  const before = await lastRun();
  // Times have a resolution of one second: two runs in the same second look the same.
  if (Math.abs(clock.now() - Date.parse(before)) < secondMs) await sleep(clock, secondMs, { signal });
  await askForChecks(kube, deps);
  const ask = async () => (await lastRun()) !== before;
  try {
    await waitUntil(ask, { what: 'the operator to run the checks', remedy: '', timeoutMs, clock, signal });
    return true;
  } catch (error) {
    if (isVdoError(error, 'DeadlineExceeded')) return false;
    throw error;
  }
};
