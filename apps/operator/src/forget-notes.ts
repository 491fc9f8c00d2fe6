import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps } from '@vdo/kube/types/core';

type Call = { readonly signal: AbortSignal };

/**
 * Only the heartbeat of the storage driver's report stays. Without it, the next installation would take the claims in its own volumes
 * for those of another running cluster, and would delete and detach nothing for 15 minutes.
 */
const forgetReport = async (kube: KubeClient, namespace: string, call: Call): Promise<void> => {
  const key = { namespace, name: names.csiSyncReport };
  const { data = {} } = (await kube.find(configMaps, key, call)) ?? {};
  if (data[names.csiHeartbeatKey] === undefined) {
    await kube.delete(configMaps, key, call);
    return;
  }
  const rest = Object.keys(data).filter((one) => one !== names.csiHeartbeatKey);
  if (rest.length === 0) return;
  const body = { data: Object.fromEntries(rest.map((one) => [one, null])) };
  await kube.patch(configMaps, key, { type: 'merge', body }, call);
};

/** Removes the records of the operator and the drivers, except those that the next installation needs. */
export const forgetNotes = async (
  kube: KubeClient,
  { namespace, notes }: { readonly namespace: string; readonly notes: readonly string[] },
  call: Call,
): Promise<void> => {
  for (const name of notes) await kube.delete(configMaps, { namespace, name }, call);
  await forgetReport(kube, namespace, call);
};
