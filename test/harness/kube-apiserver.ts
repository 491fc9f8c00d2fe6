import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { Authority, KeyPair } from './certificates.ts';
import type { TempFolder } from './cleanup.ts';
import { freePort } from './free-port.ts';
import { partPath } from './parts.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';
import { waitFor } from './wait-for.ts';

/** What the API server is started with. */
export interface ApiServerOptions {
  readonly folder: TempFolder;
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
  readonly process: LoggedProcess;
}

/** Starts kube-apiserver with RBAC on a port of 127.0.0.1 and waits until it is ready. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { folder, authority, admin, signal } = options;
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const serving = await authority.issue({ name: 'apiserver', commonName: 'kube-apiserver', hosts: servingNames });
  const serviceAccountKeyPath = await writeServiceAccountKey(folder);
  const audit = options.auditLogPath ? await auditArgs(folder, options.auditLogPath) : [];
  const process = spawnLogged(
    partPath('kube-apiserver'),
    [
      `--etcd-servers=${options.etcdUrl}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      // The kubernetes Service refuses loopback endpoints; without this the log is full of it.
      '--endpoint-reconciler-type=none',
      '--service-cluster-ip-range=10.96.0.0/16',
      `--cert-dir=${folder.path}`,
      `--tls-cert-file=${serving.certPath}`,
      `--tls-private-key-file=${serving.keyPath}`,
      `--client-ca-file=${authority.certPath}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${serviceAccountKeyPath}`,
      `--service-account-signing-key-file=${serviceAccountKeyPath}`,
      '--authorization-mode=RBAC',
      '--allow-privileged=true',
      ...(options.admitServiceAccounts ? [] : ['--disable-admission-plugins=ServiceAccount']),
      ...audit,
      ...(options.extraArgs ?? []),
    ],
    { name: 'kube-apiserver' },
  );
  const what = 'kube-apiserver to be ready';
  const ready = (): Promise<boolean> => isReady(url, authority, admin);
  await waitFor(ready, { what, timeoutMs: 90_000, processes: [process], ...(signal && { signal }) });
  return { url, serviceAccountKeyPath, process };
}

const servingNames = ['127.0.0.1', '10.96.0.1', 'localhost', 'kubernetes', 'kubernetes.default.svc'];

async function writeServiceAccountKey(folder: TempFolder): Promise<string> {
  const path = folder.file('service-accounts.key');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(path, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  return path;
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
