import type { IntentStore, VolumeIntent } from './volume-intent.ts';

/** Keeps intents in memory only: for tests, in which the map replaces the cluster. */
export const createMemoryIntentStore = (intents: Map<string, VolumeIntent> = new Map()): IntentStore => ({
  get: async (name) => intents.get(name),
  put: async (intent) => {
    intents.set(intent.name, intent);
  },
  remove: async (name) => {
    intents.delete(name);
  },
  list: async () => [...intents.values()],
});
