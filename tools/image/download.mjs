// Files that are named by their checksum, kept beside the built parts so that clean clones share them.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vdo-parts', 'files');
const attempts = 4;

const get = async (url) => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(120_000) });
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      if (response.status < 500 || attempt === attempts) throw new Error(`status ${response.status}`);
    } catch (error) {
      const isAnswer = /^status 4/.test(error.message);
      if (isAnswer || attempt === attempts) throw new Error(`${url}: ${error.cause?.message ?? error.message}`);
    }
    await sleep(1000 * attempt);
  }
};

const tryEach = async (urls) => {
  const failures = [];
  for (const url of urls) {
    try {
      return await get(url);
    } catch (error) {
      failures.push(error.message);
    }
  }
  throw new Error(failures.join('; '));
};

/** Keeps a file by its checksum, whole or not at all. */
const keep = (path, content) => {
  mkdirSync(cacheFolder, { recursive: true });
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, content);
  renameSync(fresh, path);
};

/**
 * The file with this checksum (`algorithm` and `digest` in hex), from the cache or the first address that has it.
 * Throws with `remedy` if none has it, or if what it has is something else.
 */
export const download = async ({ urls, algorithm = 'sha256', digest, fetchIt = tryEach, remedy }) => {
  const path = join(cacheFolder, `${algorithm}-${digest}`);
  const fits = (content) => createHash(algorithm).update(content).digest('hex') === digest;
  try {
    const kept = readFileSync(path);
    if (fits(kept)) return kept;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const content = await fetchIt(urls).catch((error) => {
    throw new Error(`${error.message}\n${remedy}`);
  });
  if (!fits(content))
    throw new Error(`${urls.join(', ')} is not the file that is pinned, ${algorithm} ${digest}\n${remedy}`);
  keep(path, content);
  return content;
};
