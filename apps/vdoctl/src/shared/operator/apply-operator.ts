import { isVdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import { createObjectApplier } from '@vdo/kube/apply/apply-objects';
import { describeRef, refOf } from '@vdo/kube/apply/object-ref';
import { waitForReady } from '@vdo/kube/apply/wait-for-ready';
import type { KubeClient } from '@vdo/kube/client';
import type { AnyObject } from '@vdo/kube/types/object';
import type { CliContext } from '../../cli/context.ts';
import { createProgress } from '../../output/progress.ts';

export const fieldManager = 'vdoctl';
const operatorRef = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: names.namespace, name: names.operator };

/** Applies the objects, and waits until the operator runs. */
export const applyOperator = async (
  context: Pick<CliContext, 'clock' | 'signal' | 'terminal' | 'env'> & { readonly kube: KubeClient },
  flags: { readonly wait: boolean; readonly timeout: number },
  { version, objects }: { readonly version: string; readonly objects: readonly AnyObject[] },
): Promise<void> => {
  const { clock, signal, kube } = context;
  const progress = createProgress(context);
  try {
    const { applyAll } = createObjectApplier({ client: kube, fieldManager, force: true, clock });
    for (const object of objects) {
      progress.update(`applying ${describeRef(refOf(object))}`);
      await applyAll([object], { signal });
    }
    if (objects.length > 0) progress.done(`${objects.length} objects applied`);
    if (!flags.wait) return;
    await waitForReady(kube, [operatorRef], {
      clock,
      signal,
      timeoutMs: flags.timeout * 1000,
      onProgress: (waiting) => progress.update(waiting.map(({ message }) => message).join('; ')),
    });
    progress.done(`operator ${version} is running`);
  } finally {
    progress.end();
  }
};

/** Whether the API server supports the admission policies that restrict the operator's account. */
export const hasPolicies = (kube: KubeClient, signal: AbortSignal): Promise<boolean> =>
  kube.resourceFor('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', { signal }).then(
    () => true,
    (error: unknown) => {
      if (isVdoError(error, 'KubeResourceMissing')) return false;
      throw error;
    },
  );
