import { randomBytes } from 'node:crypto';
import { cp, readFile, rm } from 'node:fs/promises';
import { standardControllers } from '@vdo/sandbox/control-plane/program-args';
import { createAuthority } from './certificates.ts';
import { createTempFolder } from './cleanup.ts';
import { startEtcd } from './etcd.ts';
import { type ApiServer, type ApiServerPart, startApiServer } from './kube-apiserver.ts';
import { startControllerManager } from './kube-controller-manager.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { partPath } from './parts.ts';
import type { LoggedProcess } from './process.ts';
import { type RunOptions, run } from './run.ts';
import { waitFor } from './wait-for.ts';

/** What the control plane is started with. */
export interface ControlPlaneOptions {
  /** Controllers of kube-controller-manager, which is not started for an empty list. Default: standardControllers. */
  readonly controllers?: readonly string[];
  /** Keeps an audit log of every request (see `auditEvents`). Default false. */
  readonly audit?: boolean;
  /** Of a release that still has the in-tree provider. Default: of today. */
  readonly inTree?: boolean;
  /** Added to kube-controller-manager's command line. */
  readonly controllerManagerArgs?: readonly string[];
  /** Added to kube-apiserver's command line. */
  readonly apiServerArgs?: readonly string[];
  /** Ends a start that takes too long; a running control plane is ended by `stop`. */
  readonly signal?: AbortSignal;
}

/** Options of one kubectl call. */
export interface KubectlOptions extends RunOptions {
  /** Default: the administrator's. */
  readonly kubeconfigPath?: string;
}

/** The fields of an audit event that tests look at. */
export interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: { readonly resource?: string; readonly namespace?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp?: string;
}

/** A real Kubernetes control plane (etcd, kube-apiserver, kube-controller-manager) without nodes. */
export interface ControlPlane {
  readonly url: string;
  /** PEM of the authority that signed the API server's certificate. */
  readonly caCert: string;
  /** The administrator's kubeconfig (group system:masters), self-contained. */
  readonly kubeconfigPath: string;
  readonly adminClientCertPath: string;
  readonly adminClientKeyPath: string;
  /** Its processes of now; waitFor shows their logs when they are passed to it. */
  readonly processes: readonly LoggedProcess[];
  /** Writes a kubeconfig for another user, known by a client certificate, and returns its path. */
  asUser(name: string, groups?: readonly string[]): Promise<string>;
  /** Writes a kubeconfig for an existing service account, known by a token (one hour), and returns its path. */
  asServiceAccount(namespace: string, name: string): Promise<string>;
  /** Runs kubectl and returns its standard output; throws CommandError if it fails. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<string>;
  /** All requests so far. Only with `audit`. */
  auditEvents(): Promise<AuditEvent[]>;
  /** Copies what etcd holds, for `restore`; etcd is away for a moment, as for a backup of its disk. */
  backUp(): Promise<Backup>;
  /** Replaces what etcd holds, as the guides for disasters say: with everything stopped that reads it, clients apart. */
  restore(backup: Backup): Promise<void>;
  /** Replaces the API server by that of another release; its clients wait. */
  replaceApiServer(part: ApiServerPart): Promise<void>;
  /** Starts kube-controller-manager anew with these arguments in place of those that were added. */
  restartControllers(args: readonly string[]): Promise<void>;
  /** Ends all processes and removes all files. */
  stop(): Promise<void>;
}

/** What etcd held at some time. */
export interface Backup {
  readonly folder: string;
}

/** Starts a control plane of its own on ephemeral ports; takes some 10 s. Nothing is left running if it throws. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { controllers = standardControllers, signal } = options;
  const folder = await createTempFolder('control-plane');
  const running: (() => LoggedProcess)[] = [];
  const stop = async (): Promise<void> => {
    // The last one started talks to the one before it: ending in that order spares each the wait for a lost peer.
    for (const process of [...running].reverse()) await process().stop();
    await folder.remove();
  };
  try {
    const authority = await createAuthority(folder.path);
    const admin = await authority.issue({ name: 'admin', commonName: 'admin', organizations: ['system:masters'] });
    const etcd = await startEtcd(folder, { ...(signal && { signal }) });
    running.push(etcd.process);
    const auditLogPath = folder.file('audit.log');
    const apiServer: ApiServer = await startApiServer({
      folder,
      authority,
      admin,
      etcdUrl: etcd.url,
      admitServiceAccounts: controllers.length > 0,
      ...(options.inTree && { part: 'kube-apiserver-in-tree' as const }),
      ...(options.audit && { auditLogPath }),
      ...(options.apiServerArgs && { extraArgs: options.apiServerArgs }),
      ...(signal && { signal }),
    });
    running.push(apiServer.process);
    const { url, serviceAccountKeyPath } = apiServer;
    const server = { url, caCert: authority.cert };
    const kubeconfigPath = await writeKubeconfig(folder.file('admin.kubeconfig'), { ...server, user: admin });
    const kubectl = createKubectl(kubeconfigPath, folder.path);
    let extraArgs = options.controllerManagerArgs ?? [];
    const startControllers = () =>
      startControllerManager({
        kubeconfigPath,
        authority,
        serviceAccountKeyPath,
        controllers,
        extraArgs,
        ...(options.inTree && { part: 'kube-controller-manager-in-tree' as const }),
      });
    let manager: LoggedProcess | undefined;
    const nowRunning = () => running.map((process) => process());
    if (controllers.length > 0) {
      const first = startControllers();
      manager = first;
      running.push(() => manager ?? first);
      await waitForControllers(kubectl, { controllers, processes: nowRunning(), ...(signal && { signal }) });
    }
    let backups = 0;

    return {
      ...server,
      kubeconfigPath,
      adminClientCertPath: admin.certPath,
      adminClientKeyPath: admin.keyPath,
      get processes() {
        return nowRunning();
      },
      kubectl,
      backUp: async () => {
        const copy = folder.file(`backup-${++backups}`);
        await etcd.process().stop();
        await cp(etcd.dataFolder, copy, { recursive: true });
        await etcd.again();
        return { folder: copy };
      },
      restore: async (backup) => {
        await manager?.stop();
        await apiServer.process().stop();
        await etcd.process().stop();
        await rm(etcd.dataFolder, { recursive: true });
        await cp(backup.folder, etcd.dataFolder, { recursive: true });
        await etcd.again();
        await apiServer.again();
        if (manager) manager = startControllers();
      },
      replaceApiServer: async (part) => {
        await apiServer.process().stop();
        await apiServer.again(part);
      },
      restartControllers: async (args) => {
        extraArgs = args;
        await manager?.stop();
        manager = startControllers();
      },
      stop,
      asUser: async (name, groups = []) => {
        const file = `user-${randomBytes(4).toString('hex')}`;
        const user = await authority.issue({ name: file, commonName: name, organizations: groups });
        return writeKubeconfig(folder.file(`${file}.kubeconfig`), { ...server, user });
      },
      asServiceAccount: async (namespace, name) => {
        const token = (await kubectl(['create', 'token', name, '--namespace', namespace])).trim();
        const path = folder.file(`account-${randomBytes(4).toString('hex')}.kubeconfig`);
        return writeKubeconfig(path, { ...server, user: { token } });
      },
      auditEvents: async () => {
        if (!options.audit) throw new Error('this control plane keeps no audit log: start it with { audit: true }');
        // What follows the last newline is an event still being written.
        const lines = (await readFile(auditLogPath, 'utf8')).split('\n').slice(0, -1);
        return lines.map((line): AuditEvent => JSON.parse(line));
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Kubectl = ControlPlane['kubectl'];

function createKubectl(adminKubeconfigPath: string, home: string): Kubectl {
  const program = partPath('kubectl');
  return (args, { kubeconfigPath = adminKubeconfigPath, ...options } = {}) =>
    // Its own HOME keeps the discovery cache of an earlier server on the same port away.
    run(program, ['--kubeconfig', kubeconfigPath, ...args], { ...options, env: { HOME: home, ...options.env } });
}

async function waitForControllers(
  kubectl: Kubectl,
  options: { controllers: readonly string[]; processes: readonly LoggedProcess[]; signal?: AbortSignal },
): Promise<void> {
  const { controllers, ...wait } = options;
  if (!controllers.includes('serviceaccount-controller')) return;
  const get = ['get', 'serviceaccount', 'default', '--namespace', 'default', '--output', 'name'];
  await waitFor(() => kubectl(get), { what: 'the default service account', timeoutMs: 60_000, everyMs: 250, ...wait });
}
