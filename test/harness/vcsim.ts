import { X509Certificate } from 'node:crypto';
import { createSelfSigned } from './certificates.ts';
import { createTempFolder } from './cleanup.ts';
import { partPath } from './parts.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

/**
 * The vCenter to simulate. Its inventory is named by govmomi: datacenter DC0, cluster DC0_C0, VM DC0_C0_RP0_VM0, …
 * Two simulated vCenters hold VMs of the same names and UUIDs; their instance UUIDs differ.
 */
export interface VcsimOptions {
  /** Default 1. */
  readonly datacenters?: number;
  /** Per datacenter. Default 1. */
  readonly clusters?: number;
  /** Per cluster. Default 1. */
  readonly hosts?: number;
  /** Outside a cluster, per datacenter; each carries `vms` of its own. Default 0. */
  readonly standaloneHosts?: number;
  /** Per cluster and per standalone host. Default 2. */
  readonly vms?: number;
  /** Per datacenter, mounted on every host. Default 1. */
  readonly datastores?: number;
  /** Default 8.0.3. */
  readonly version?: string;
  /** Default administrator@vsphere.local; another one must be of that domain. */
  readonly username?: string;
  /** Default obviously-fake. */
  readonly password?: string;
  /** Default true. */
  readonly tls?: boolean;
  /** Default: a free one. Name one to start a vCenter again where a stopped one was. */
  readonly port?: number;
  /** Milliseconds by which single SOAP methods are delayed, by method name. */
  readonly methodDelayMs?: Readonly<Record<string, number>>;
  readonly signal?: AbortSignal;
}

/** A name and a password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** govmomi's vCenter simulator. It refuses other credentials than its own. */
export interface Vcsim extends Credentials {
  /** Of the SOAP endpoint, without credentials: https://127.0.0.1:<port>/sdk. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Its self-signed certificate, valid for 127.0.0.1 and localhost. Empty without TLS. */
  readonly certificate: string;
  /** Upper-case hexadecimal bytes with colons. Empty without TLS. */
  readonly thumbprintSha1: string;
  /** Upper-case hexadecimal bytes with colons. Empty without TLS. */
  readonly thumbprintSha256: string;
  readonly process: LoggedProcess;
  /** Runs govc with its credentials and returns the standard output; throws CommandError if it fails. */
  govc(...args: readonly string[]): Promise<string>;
  /** The same with other credentials. */
  govcAs(credentials: Credentials, ...args: readonly string[]): Promise<string>;
  /** Ends the process and removes all files. */
  stop(): Promise<void>;
}

/** Starts a simulated vCenter on 127.0.0.1. Nothing is left running if it throws. */
export async function startVcsim(options: VcsimOptions = {}): Promise<Vcsim> {
  const { username = 'administrator@vsphere.local', password = 'obviously-fake', tls = true, signal } = options;
  const folder = await createTempFolder('vcsim');
  const pair = await createSelfSigned(folder.path, {
    name: 'vcsim',
    commonName: 'vcsim',
    hosts: ['127.0.0.1', 'localhost'],
  });
  const process = spawnLogged(
    partPath('vcsim'),
    [
      ...['-l', `127.0.0.1:${options.port ?? 0}`],
      ...['-username', username, '-password', password],
      ...(tls ? ['-cert', pair.certPath, '-key', pair.keyPath] : ['-tls=false']),
      ...inventoryArgs(options),
    ],
    // Its datastores are folders in TMPDIR.
    { name: 'vcsim', env: { TMPDIR: folder.path } },
  );
  const stop = async (): Promise<void> => {
    await process.stop();
    await folder.remove();
  };
  try {
    const announced = (): string | undefined => process.tail().match(/^vcsim listens on (\S+)$/m)?.[1];
    const url = await waitFor(announced, {
      what: 'vcsim to listen',
      // It takes some 40 ms per VM, more on a busy machine.
      timeoutMs: 30_000 + (options.vms ?? 2) * 300,
      everyMs: 20,
      processes: [process],
      ...(signal && { signal }),
    });
    const govcAs: Vcsim['govcAs'] = (credentials, ...args) =>
      run(partPath('govc'), args, { env: govcEnv(url, credentials, folder.path) });
    const { hostname, port } = new URL(url);
    const certificate = new X509Certificate(pair.cert);
    return {
      url,
      host: hostname,
      port: Number(port),
      username,
      password,
      certificate: tls ? pair.cert : '',
      thumbprintSha1: tls ? certificate.fingerprint : '',
      thumbprintSha256: tls ? certificate.fingerprint256 : '',
      process,
      govc: (...args) => govcAs({ username, password }, ...args),
      govcAs,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function inventoryArgs(options: VcsimOptions): string[] {
  const { datacenters = 1, clusters = 1, hosts = 1, standaloneHosts = 0, vms = 2, datastores = 1 } = options;
  const delays = Object.entries(options.methodDelayMs ?? {}).map(([method, delayMs]) => `${method}:${delayMs}`);
  const counts = {
    dc: datacenters,
    cluster: clusters,
    host: hosts,
    'standalone-host': standaloneHosts,
    vm: vms,
    ds: datastores,
  };
  const { version = '8.0.3' } = options;
  return [
    `-version=${version}`,
    ...Object.entries(counts).map(([name, count]) => `-${name}=${count}`),
    `-method-delay=${delays.join(',')}`,
  ];
}

function govcEnv(url: string, { username, password }: Credentials, home: string): Record<string, string> {
  return {
    GOVC_URL: url,
    GOVC_USERNAME: username,
    GOVC_PASSWORD: password,
    GOVC_INSECURE: 'true',
    // A session saved by one call would let the next one in whatever its password.
    GOVC_PERSIST_SESSION: 'false',
    HOME: home,
  };
}
