import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A file that says which process is the only one. */
export interface HeldLock {
  /** Synchronous: also for a process that exits. */
  release(): void;
}

const holderOf = (path: string): number | undefined => {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10) || 0;
  } catch {
    return undefined;
  }
};

const exclusive = (create: () => void): boolean => {
  try {
    create();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/**
 * Takes the lock file at `path`, or tells the process that has it. The lock of a process that is gone is taken over, by one
 * only: whoever creates the file named after the dead process may, and looks once more before it does.
 */
export const takeLock = (
  path: string,
  self: { readonly pid: number; readonly isRunning: (pid: number) => boolean },
): HeldLock | { readonly holder: number } => {
  const { pid } = self;
  const isAlive = (holder: number): boolean => holder > 0 && holder !== pid && self.isRunning(holder);
  const held: HeldLock = {
    release: () => {
      if (holderOf(path) === pid) rmSync(path, { force: true });
    },
  };
  // Complete before anybody sees it: a link is made whole or not at all.
  const own = `${path}.${pid}`;
  // Where others may write, one of them may have put a link to a file of ours under that name.
  rmSync(own, { force: true });
  writeFileSync(own, String(pid), { mode: 0o600, flag: 'wx' });
  try {
    for (;;) {
      if (exclusive(() => linkSync(own, path))) return held;
      const holder = holderOf(path);
      // Released just now.
      if (holder === undefined) continue;
      if (isAlive(holder)) return { holder };
      const permit = `${path}.after-${holder}`;
      if (!exclusive(() => writeFileSync(permit, String(pid), { flag: 'wx', mode: 0o600 }))) {
        const heir = holderOf(permit);
        if (heir !== undefined && isAlive(heir)) return { holder: heir };
        rmSync(permit, { force: true });
        continue;
      }
      try {
        if (holderOf(path) !== holder) continue;
        renameSync(own, path);
        return held;
      } finally {
        rmSync(permit, { force: true });
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
};
