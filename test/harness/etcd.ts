import { freePort } from '@vdo/sandbox/control-plane/free-port';
import { etcdArgs } from '@vdo/sandbox/control-plane/program-args';
import type { TempFolder } from './cleanup.ts';
import { partPath } from './parts.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';
import { waitFor } from './wait-for.ts';

/** A running etcd. */
export interface Etcd {
  readonly url: string;
  readonly process: LoggedProcess;
}

/** Starts a single etcd that keeps its data in `folder` and never waits for the disk. */
export async function startEtcd(folder: TempFolder, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Etcd> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  const process = spawnLogged(partPath('etcd'), etcdArgs({ dataFolder: folder.file('etcd'), url, peerUrl }), {
    name: 'etcd',
  });
  const healthy = async (): Promise<boolean> => (await fetch(`${url}/health`)).ok;
  await waitFor(healthy, { what: 'etcd to be healthy', processes: [process], ...(signal && { signal }) });
  return { url, process };
}
