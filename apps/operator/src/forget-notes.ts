import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { configMaps } from '@vdo/kube/types/core';

type Call = { readonly signal: AbortSignal };

/**
 * Of the storage driver's report only its heartbeat stays. A next installation that does not know it takes the words that its own volumes
 * carry for those of another living cluster, and deletes and detaches nothing for a quarter of an hour.
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

/** Removes what the operator and the drivers have noted, but for what a next installation has to know. */
export const forgetNotes = async (
  kube: KubeClient,
  { namespace, notes }: { readonly namespace: string; readonly notes: readonly string[] },
  call: Call,
): Promise<void> => {
  for (const name of notes) await kube.delete(configMaps, { namespace, name }, call);
  await forgetReport(kube, namespace, call);
};
