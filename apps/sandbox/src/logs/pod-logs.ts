import { existsSync, renameSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep } from '@vdo/base/clock';
import { chooseLines, type LogQuery } from './log-query.ts';

const pollMs = 200;

/** The log file of a container. */
export const logFileOf = (folder: string, pod: string, container: string): string =>
  join(folder, `${pod}-${container}.log`);

const previousOf = (file: string): string => `${file}.previous`;

/** Call it before a container starts: the log of its earlier run is kept separately. */
export const beginLog = (file: string): void => {
  if (existsSync(file)) renameSync(file, previousOf(file));
};

const readFrom = async (file: string, position: number): Promise<Buffer> => {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.max(0, size - position));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

const inodeOf = async (file: string): Promise<number | undefined> => (await stat(file).catch(() => undefined))?.ino;

/** The log of a container in chunks; undefined if there is none. With follow, it ends when the container ends. */
export const readPodLog = (
  folder: string,
  pod: string,
  query: LogQuery,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): AsyncIterable<Uint8Array> | undefined => {
  const current = logFileOf(folder, pod, query.container);
  const file = query.previous ? previousOf(current) : current;
  if (!existsSync(file)) return undefined;
  const { sinceSeconds, tailLines } = query;
  return (async function* () {
    const inode = await inodeOf(file);
    const written = await readFrom(file, 0);
    let position = written.length;
    const chosen = chooseLines(written.toString(), {
      ...(sinceSeconds === undefined ? {} : { fromMs: clock.now() - sinceSeconds * 1000 }),
      ...(tailLines === undefined ? {} : { tailLines }),
    });
    if (chosen !== '') yield Buffer.from(chosen);
    while (query.follow && !query.previous && !signal?.aborted && (await inodeOf(file)) === inode) {
      const more = await readFrom(file, position);
      position += more.length;
      if (more.length > 0) yield more;
      else await sleep(clock, pollMs, signal ? { signal } : {}).catch(() => undefined);
    }
  })();
};
