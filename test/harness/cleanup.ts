import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What is left when the test process ends, for whatever reason it ends: the last resort behind each stop().
const leftovers = new Set<() => void>();
let listening = false;

/** Runs `action` (synchronously) when the test process exits, unless the returned function is called before. */
export function onProcessExit(action: () => void): () => void {
  if (!listening) {
    listening = true;
    process.once('exit', () => {
      for (const leftover of leftovers) leftover();
    });
  }
  leftovers.add(action);
  return () => leftovers.delete(action);
}

/** Takes off what is mounted below a folder, such as the volume of a pod that still ran: to remove the folder would empty it first. */
function unmountBelow(path: string): void {
  const targets = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => (line.split(' ')[1] ?? '').replaceAll('\\040', ' '))
    .filter((target) => target.startsWith(`${path}/`));
  // What was mounted last may be below what was mounted before.
  for (const target of targets.reverse()) execFileSync('umount', ['-l', target]);
}

/** A temporary folder that is gone after `remove()`, or at the latest when the test process exits. */
export interface TempFolder {
  readonly path: string;
  /** The path of `name` inside the folder. */
  file(name: string): string;
  remove(): Promise<void>;
}

/** Creates a temporary folder whose name starts with `vdo-<name>-`. */
export async function createTempFolder(name: string): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), `vdo-${name}-`));
  const forget = onProcessExit(() => {
    unmountBelow(path);
    rmSync(path, { recursive: true, force: true });
  });
  return {
    path,
    file: (child) => join(path, child),
    remove: async () => {
      unmountBelow(path);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      forget();
    },
  };
}
