import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import type { CallMeter } from '@vdo/dashboard/source/call-sampler';
import { createMetricsToken } from '@vdo/dashboard/source/metrics-token';
import type { KubeClient } from '@vdo/kube/client';
import { proxiedToken } from '@vdo/kube/serving/authorized-handler';
import type { Pod } from '@vdo/kube/types/core';
import { findProgramPods } from '../../shared/cluster/program-pods.ts';

/** The programs that call vCenter. */
const programs = ['operator', 'cpi', 'csi-controller'] as const;

/** The metrics port of a VDO pod; undefined for other pods. */
const addressOf = (pod: Pod): { readonly scheme: 'https'; readonly port: number } | undefined => {
  const ports = pod.spec.containers.flatMap((container) => container.ports ?? []);
  const found = ports.find(({ name }) => name === 'metrics' || name === 'https');
  return found && { scheme: 'https', port: found.containerPort };
};

/** Counts the vCenter calls of the operator and the native drivers from their metrics, read through the API server. */
export const createPodMeter = (kube: KubeClient, namespace: string, clock: Clock): CallMeter => {
  const token = createMetricsToken(kube, namespace, clock);
  return {
    of: 'the operator, the cloud controller manager and the storage controller',
    everyMs: 15_000,
    read: async (signal) => {
      const pods = await findProgramPods(kube, { namespace, programs }, signal);
      const running = pods.filter(({ status }) => status?.phase === 'Running');
      const targets = running.flatMap((pod) => {
        const address = addressOf(pod);
        return address ? [{ pod, address }] : [];
      });
      if (targets.length === 0) {
        throw new VdoError({
          code: 'KubeNotFound',
          message: 'no pod of the operator or of a native driver is running',
          remedy: 'Run vdoctl status to see what is installed.',
        });
      }
      const headers = { [proxiedToken.header]: await token(signal) };
      const readings = await Promise.allSettled(
        targets.map(async ({ pod, address }) => {
          const { namespace: of = '', name = '' } = pod.metadata;
          return [
            name,
            await kube.readFromPod({ namespace: of, name }, { ...address, path: '/metrics', headers, signal }),
          ] as const;
        }),
      );
      const read = readings.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []));
      const failed = readings.find((reading) => reading.status === 'rejected');
      // A pod that is starting or stopping must not hide the metrics of the others.
      if (failed && read.length === 0) throw failed.reason;
      return new Map(read);
    },
  };
};
