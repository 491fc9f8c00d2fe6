/** How often each kind of fault met each operation. */
export interface Coverage {
  note(fault: string, operation: string): void;
  /** `fault\toperation` and how often. */
  counts(): Readonly<Record<string, number>>;
}

export const createCoverage = (): Coverage => {
  const counts: Record<string, number> = {};
  return {
    note: (fault, operation) => {
      const key = `${fault}\t${operation}`;
      counts[key] = (counts[key] ?? 0) + 1;
    },
    counts: () => counts,
  };
};
