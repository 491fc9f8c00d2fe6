// Keeps two builds of one part from running at once. The holder touches its lock file; a file not touched for a while
// belongs to a dead process. Should two runs take over the same dead lock, the part is built twice and no harm is done:
// a build goes to a folder of its own and is renamed when complete.
import { mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const touchEveryMs = 2_000;
const deadAfterMs = 20_000;

const tryTake = async (path) => {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
};

const isDead = async (path) => {
  const lock = await stat(path).catch(() => undefined);
  return lock !== undefined && Date.now() - lock.mtimeMs > deadAfterMs;
};

/** Runs `work` while holding the lock file at `path`; `onWait` is called once if another run holds it. */
export const withLock = async (path, { onWait, work }) => {
  await mkdir(dirname(path), { recursive: true });
  let waited = false;
  while (!(await tryTake(path))) {
    if (await isDead(path)) await rm(path, { force: true });
    else {
      if (!waited) onWait();
      waited = true;
      await sleep(500);
    }
  }
  const touch = () => utimes(path, new Date(), new Date()).catch(() => undefined);
  const timer = setInterval(touch, touchEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await rm(path, { force: true });
  }
};
