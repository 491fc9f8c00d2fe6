import type { TempFolder } from './cleanup.ts';
import { freePort } from './free-port.ts';
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
  const process = spawnLogged(
    partPath('etcd'),
    [
      '--name=test',
      `--data-dir=${folder.file('etcd')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=test=${peerUrl}`,
      '--unsafe-no-fsync',
      '--log-level=warn',
    ],
    { name: 'etcd' },
  );
  const healthy = async (): Promise<boolean> => (await fetch(`${url}/health`)).ok;
  await waitFor(healthy, { what: 'etcd to be healthy', processes: [process], ...(signal && { signal }) });
  return { url, process };
}
