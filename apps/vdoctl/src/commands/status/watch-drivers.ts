import { silentLogger } from '@vdo/base/logger';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { createInformer } from '@vdo/kube/create-informer';
import type { CliContext } from '../../cli/context.ts';

/** Calls `onChange` after each change of the resource, one call at a time, until Ctrl-C. */
export const watchDrivers = async (
  kube: KubeClient,
  { clock, random, signal }: Pick<CliContext, 'clock' | 'random' | 'signal'>,
  onChange: () => Promise<void>,
): Promise<void> => {
  const informer = createInformer({ client: kube, resource: vsphereDrivers, clock, random, logger: silentLogger });
  let working: Promise<void> = Promise.resolve();
  let dirty = false;
  const changed = (): void => {
    if (!informer.hasSynced() || dirty) return;
    dirty = true;
    working = working.then(() => {
      dirty = false;
      return onChange();
    });
  };
  informer.onChange(changed);
  await informer.run(signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  await working.catch(() => undefined);
};
