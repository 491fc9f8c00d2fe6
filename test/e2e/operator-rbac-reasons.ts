import type { Right } from './operator-rbac.ts';

export interface UnusedRight {
  readonly reason: string;
  readonly matches: (account: string, right: Right) => boolean;
}

/** Rights that the thread does not use, and why they are there all the same. */
export const unusedRights: readonly UnusedRight[] = [];
