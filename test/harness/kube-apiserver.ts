import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { freePort } from '@vdo/sandbox/control-plane/free-port';
import { apiServerArgs, apiServerNames } from '@vdo/sandbox/control-plane/program-args';
import { writeServiceAccountKey } from '@vdo/sandbox/control-plane/service-account-key';
import type { Authority, KeyPair } from './certificates.ts';
import type { TempFolder } from './cleanup.ts';
import { partPath } from './parts.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';
import { waitFor } from './wait-for.ts';

/** What the API server is started with. */
export interface ApiServerOptions {
  readonly folder: TempFolder;
  /** Default: kube-apiserver. */
  readonly part?: ApiServerPart;
  readonly etcdUrl: string;
  readonly authority: Authority;
  /** Reads /readyz. */
  readonly admin: KeyPair;
  /** False where nobody creates the service accounts that pods are checked for. */
  readonly admitServiceAccounts: boolean;
  /** Where to log every request's metadata; no audit log without it. */
  readonly auditLogPath?: string;
  readonly extraArgs?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A running kube-apiserver. */
export interface ApiServer {
  readonly url: string;
  /** Signs service-account tokens. */
  readonly serviceAccountKeyPath: string;
  /** The one that runs now, or ran last. */
  process(): LoggedProcess;
  /** Starts it again at the same address with the same keys, after it was stopped: the same program, or the one of another release. */
  again(part?: ApiServerPart): Promise<void>;
}

export type ApiServerPart = 'kube-apiserver' | 'kube-apiserver-next' | 'kube-apiserver-in-tree';

/** Starts kube-apiserver with RBAC on a port of 127.0.0.1 and waits until it is ready. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { folder, authority, admin, signal } = options;
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const serving = await authority.issue({ name: 'apiserver', commonName: 'kube-apiserver', hosts: apiServerNames });
  const serviceAccountKeyPath = await writeServiceAccountKey(folder.file('service-accounts.key'));
  const audit = options.auditLogPath ? await auditArgs(folder, options.auditLogPath) : [];
  const args = [
    ...apiServerArgs({
      etcdUrl: options.etcdUrl,
      port,
      folder: folder.path,
      certPath: serving.certPath,
      keyPath: serving.keyPath,
      serviceAccountKeyPath,
    }),
    `--client-ca-file=${authority.certPath}`,
    // How kubelets know the API server, for logs and exec.
    `--kubelet-client-certificate=${admin.certPath}`,
    `--kubelet-client-key=${admin.keyPath}`,
    ...(options.admitServiceAccounts ? [] : ['--disable-admission-plugins=ServiceAccount']),
    ...audit,
    ...(options.extraArgs ?? []),
  ];
  const start = async (part: ApiServerPart): Promise<LoggedProcess> => {
    const process = spawnLogged(partPath(part), args, { name: part });
    const ready = (): Promise<boolean> => isReady(url, authority, admin);
    const wait = { what: `${part} to be ready`, timeoutMs: 90_000, processes: [process] };
    await waitFor(ready, { ...wait, ...(signal && { signal }) });
    return process;
  };
  const { part: own = 'kube-apiserver' } = options;
  let process = await start(own);
  return {
    url,
    serviceAccountKeyPath,
    process: () => process,
    again: async (part = own) => {
      process = await start(part);
    },
  };
}

async function auditArgs(folder: TempFolder, logPath: string): Promise<string[]> {
  const policyPath = folder.file('audit-policy.json');
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata' }],
  };
  await writeFile(policyPath, JSON.stringify(policy));
  return [`--audit-policy-file=${policyPath}`, `--audit-log-path=${logPath}`];
}

function isReady(url: string, authority: Authority, admin: KeyPair): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options = { ca: authority.cert, cert: admin.cert, key: admin.key, agent: false, timeout: 5_000 };
    const call = request(`${url}/readyz`, options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.once('error', reject);
    call.once('timeout', () => call.destroy(new Error(`${url}/readyz did not answer in 5 s`)));
    call.end();
  });
}
