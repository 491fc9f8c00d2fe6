import { mkdir, writeFile } from 'node:fs/promises';
import { freePort } from '@vdo/sandbox/control-plane/free-port';
import { createAuthority } from './certificates.ts';
import { createTempFolder } from './cleanup.ts';
import { spawnLogged } from './process.ts';
import { waitFor } from './wait-for.ts';

/** `obviously-fake`, as bcrypt. */
const passwordHash = '$2y$05$abcdefghijklmnopqrstuurzdD.rD073oO7Lr9EuCHJwPuUlPpFsG';

export interface DockerRegistry {
  /** `127.0.0.1:5000`. */
  readonly host: string;
  readonly user: string;
  readonly password: string;
  /** Certificate of the authority that the registry is signed by. */
  readonly caFile: string;
  stop(): Promise<void>;
}

/** The registry of the distribution project, as Debian packs it: with TLS by an authority of its own, and a login. */
export async function startDockerRegistry(): Promise<DockerRegistry> {
  const folder = await createTempFolder('registry');
  const authority = await createAuthority(folder.path);
  const server = await authority.issue({ name: 'registry', commonName: 'registry', hosts: ['127.0.0.1'] });
  const host = `127.0.0.1:${await freePort()}`;
  await mkdir(folder.file('blobs'));
  await writeFile(folder.file('htpasswd'), `pusher:${passwordHash}\n`);
  const settings = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: folder.file('blobs') } },
    http: { addr: host, tls: { certificate: server.certPath, key: server.keyPath } },
    auth: { htpasswd: { realm: 'test', path: folder.file('htpasswd') } },
  };
  await writeFile(folder.file('config.yml'), JSON.stringify(settings));
  const daemon = spawnLogged('docker-registry', ['serve', folder.file('config.yml')]);
  const listens = async (): Promise<true | undefined> => (daemon.tail().includes('listening on') ? true : undefined);
  await waitFor(listens, { what: 'docker-registry', processes: [daemon] });
  return {
    ...{ host, user: 'pusher', password: 'obviously-fake', caFile: authority.certPath },
    stop: async () => {
      await daemon.stop();
      await folder.remove();
    },
  };
}
