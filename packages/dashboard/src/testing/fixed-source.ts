import type { DashboardSource } from '../model.ts';
import { buildModel, createModelMemory, type DashboardFacts } from '../source/build-model.ts';

/** A source whose facts a test sets. */
export const createFixedSource = (first: DashboardFacts) => {
  const listeners = new Set<() => void>();
  const memory = createModelMemory();
  let facts = first;
  const source: DashboardSource = {
    current: () => buildModel(facts, memory),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    source,
    listeners,
    show: (next: DashboardFacts): void => {
      facts = next;
      for (const listener of [...listeners]) listener();
    },
  };
};
