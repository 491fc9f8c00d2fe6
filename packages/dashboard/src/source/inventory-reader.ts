import type { Clock } from '@vdo/base/clock';
import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { proxiedToken } from '@vdo/kube/serving/authorized-handler';
import { type Pod, pods } from '@vdo/kube/types/core';
import type { Inventory } from '../inventory.ts';
import { inventoryPath } from '../inventory-endpoint.ts';
import type { InventoryReader } from './create-kube-source.ts';
import { createMetricsToken } from './metrics-token.ts';

export interface PodReading {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface InventoryReaderOptions {
  readonly kube: KubeClient;
  /** Of the operator. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly everyMs: number;
  /** How a pod is read. Default: through the API server. */
  readonly readPod?: (pod: Pod, reading: PodReading) => Promise<string>;
}

const portOf = ({ spec }: Pod): number | undefined =>
  spec.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === 'metrics')?.containerPort;

/** Reads the inventory of the leader of the operator. */
export const createInventoryReader = (options: InventoryReaderOptions): InventoryReader => {
  const { kube, namespace, clock, everyMs } = options;
  const token = createMetricsToken(kube, namespace, clock);
  const throughApiServer = ({ metadata }: Pod, reading: PodReading): Promise<string> =>
    kube.readFromPod(
      { namespace: metadata.namespace ?? '', name: metadata.name ?? '' },
      { scheme: 'https', ...reading },
    );
  const { readPod = throughApiServer } = options;
  return {
    everyMs,
    read: async (signal) => {
      const { items } = await kube.list(pods, { namespace, signal });
      const running = items.filter(
        ({ metadata, status }) => metadata.name?.startsWith(`${names.operator}-`) && status?.phase === 'Running',
      );
      const targets = running.flatMap((pod) => {
        const port = portOf(pod);
        return port === undefined ? [] : [{ pod, port }];
      });
      if (targets.length === 0)
        throw new VdoError({
          code: 'KubeNotFound',
          message: 'no pod of the operator that serves its inventory of volumes is running',
          remedy: 'vdoctl status shows what is installed.',
        });
      const headers = { [proxiedToken.header]: await token(signal) };
      let refusal: unknown;
      for (const { pod, port } of targets) {
        try {
          return JSON.parse(await readPod(pod, { port, path: inventoryPath, headers, signal })) as Inventory;
        } catch (error) {
          // A replica that does not lead has no inventory.
          refusal ??= error;
        }
      }
      throw refusal;
    },
  };
};
