export interface LedgerEntry {
  readonly commit: string;
  /** Counts instead of the commit. */
  readonly program?: string;
  readonly command: string;
  readonly result: 'passed' | 'failed';
  readonly seconds: number;
}

export interface Ledger {
  readonly entries: readonly LedgerEntry[];
  /** Whether this command has passed on a commit, or in a program that has this name. */
  hasPassed(name: string, command: string): boolean;
  add(entry: LedgerEntry): void;
  print(): void;
}

export const root: string;
export function git(...args: readonly string[]): string;
export function commitName(): string;
export function openLedger(path: string): Ledger;
