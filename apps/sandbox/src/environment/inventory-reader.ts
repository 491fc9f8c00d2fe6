import type { Clock } from '@vdo/base/clock';
import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { InventoryReader } from '@vdo/dashboard/source/create-kube-source';
import { createInventoryReader, type PodReading } from '@vdo/dashboard/source/inventory-reader';
import type { Pod } from '@vdo/kube/types/core';
import type { SandboxCluster } from './sandbox-cluster.ts';

const maxBytes = 16 * 1024 * 1024;

/** The pods of a sandbox listen on this machine, whatever address the API server has for them. */
const readLocalPod = async ({ status }: Pod, { port, path, headers, signal }: PodReading): Promise<string> => {
  const address = (status?.podIP ?? '').replace(/^10\./, '127.');
  const client = createHttpClient({ origin: `https://${address}:${port}`, tls: { insecure: true } });
  try {
    const reply = await client.transport({ method: 'GET', path, headers, signal });
    const text = (await readBody(reply.body, maxBytes)).toString();
    if (reply.status === 200) return text;
    throw new VdoError({
      code: 'EvidenceMissing',
      message: `the operator answered the request for its volume inventory with status ${reply.status}: ${text.trim()}`,
      remedy: 'Wait until the operator is the leader and its first checks have run.',
    });
  } finally {
    await client.close();
  }
};

/** Reads the operator's inventory of the volumes in vCenter. */
export const createSandboxInventoryReader = ({ kube, outside }: SandboxCluster, clock: Clock): InventoryReader =>
  createInventoryReader({
    kube,
    namespace: names.namespace,
    clock,
    everyMs: 5_000,
    ...(outside?.hasNodes ? {} : { readPod: readLocalPod }),
  });
