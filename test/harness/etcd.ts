import { freePort } from '@vdo/sandbox/control-plane/free-port';
import { etcdArgs } from '@vdo/sandbox/control-plane/program-args';
import type { TempFolder } from './cleanup.ts';
import { partPath } from './parts.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';
import { waitFor } from './wait-for.ts';

/** A running etcd. */
export interface Etcd {
  readonly url: string;
  /** The one that runs now, or ran last. */
  process(): LoggedProcess;
  /** Starts it again at the same addresses, after it was stopped. */
  again(): Promise<void>;
  /** Where its data is while it does not run. */
  readonly dataFolder: string;
}

/** Starts a single etcd that keeps its data in `folder` and never waits for the disk. */
export async function startEtcd(folder: TempFolder, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Etcd> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  const dataFolder = folder.file('etcd');
  const start = async (): Promise<LoggedProcess> => {
    const process = spawnLogged(partPath('etcd'), etcdArgs({ dataFolder, url, peerUrl }), { name: 'etcd' });
    const healthy = async (): Promise<boolean> => (await fetch(`${url}/health`)).ok;
    await waitFor(healthy, { what: 'etcd to be healthy', processes: [process], ...(signal && { signal }) });
    return process;
  };
  let process = await start();
  return {
    url,
    dataFolder,
    process: () => process,
    again: async () => {
      process = await start();
    },
  };
}
