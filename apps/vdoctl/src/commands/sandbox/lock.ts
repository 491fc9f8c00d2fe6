import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A lock file that contains the ID of the process that holds it. */
export interface HeldLock {
  /** Synchronous, so that it also works while the process exits. */
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
 * Acquires the lock file at `path`, or returns the process that holds it. Only one process can take over the lock of a dead
 * process: the one that creates the file named after the dead process, and it checks again before it takes over.
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
  // Complete before it is visible: creating a link is atomic.
  const own = `${path}.${pid}`;
  // In a folder that others can write to, somebody may have placed a link to one of our files under that name.
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
