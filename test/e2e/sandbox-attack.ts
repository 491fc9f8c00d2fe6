import { execFile } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processesOf } from './sandbox-process.ts';

const run = promisify(execFile);
const nobody = 65_534;

export interface AttackTarget {
  readonly folder: string;
  readonly server: string;
  readonly control: string;
  readonly dashboard: string;
  readonly vcenter: string;
}

export interface AttackResult {
  /** `401 GET https://…`. */
  readonly refused: readonly string[];
  /** What was answered, and should not have been. */
  readonly open: readonly string[];
  /** Files that could be read. */
  readonly read: readonly string[];
  /** All that was seen. */
  readonly text: string;
}

/** As another user, or without any credentials where this one is not root. */
const asNobody = (script: string): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  const command =
    process.getuid?.() === 0
      ? ['setpriv', '--reuid', String(nobody), '--regid', String(nobody), '--clear-groups', '--']
      : [];
  const [program = '', ...args] = [...command, 'bash', '-c', script];
  return run(program, args, { cwd: '/', maxBuffer: 64 << 20, env: { PATH: process.env['PATH'] ?? '' } });
};

const guesses = ['', 'Bearer ', 'Bearer null', 'Bearer constructor', 'Bearer __proto__', 'Basic YWRtaW46YWRtaW4='];

/** Asks every port of a sandbox for everything, and tries to read every file, as another user of the machine. */
export const attackSandbox = async (target: AttackTarget): Promise<AttackResult> => {
  const { origin } = new URL(target.dashboard);
  const requests = [
    ...['/', '/version', '/healthz', '/api', '/apis', '/openapi/v2', '/metrics'].map((path) => [
      'GET',
      `${target.server}${path}`,
    ]),
    ['GET', `${target.server}/api/v1/secrets`],
    ['POST', `${target.server}/api/v1/namespaces/default/pods`],
    ['DELETE', `${target.server}/api/v1/nodes/node-1`],
    ['GET', `${target.control}/faults`],
    ['POST', `${target.control}/faults/vcenter-down`],
    ['DELETE', `${target.control}/faults`],
    ...['/', '/model', '/stream', '/dashboard.js'].map((path) => ['GET', `${origin}${path}`]),
  ];
  const lines: string[] = [];
  for (const [method, url] of requests)
    for (const guess of guesses)
      lines.push(
        `curl -sk -m 10 -X ${method} -H 'x-vdo-sandbox: 1' -H 'Impersonate-User: admin' -H 'Authorization: ${guess}' -w '\\n@@%{http_code} ${method} ${url}\\n' '${url}'`,
      );
  for (const name of ['powerOff', 'addVm', 'find'])
    lines.push(
      `curl -sk -m 10 -X POST -d '["node-1"]' -w '\\n@@%{http_code} POST ${name}\\n' '${target.vcenter}/simulator/control/${name}'`,
    );
  for (const [user, password] of [
    ['administrator@vsphere.local', 'obviously-fake'],
    ['csi@vsphere.local', 'obviously-fake-csi'],
    ['cpi@vsphere.local', 'obviously-fake-cpi'],
  ])
    lines.push(
      `curl -sk -m 10 -X POST -u '${user}:${password}' -w '\\n@@%{http_code} POST session ${user}\\n' '${target.vcenter}/api/session'`,
    );
  const { stdout } = await asNobody(`${lines.join('\n')}\ntrue`);
  const verdicts = stdout.split('\n').flatMap((line) => (line.startsWith('@@') ? [line.slice(2)] : []));
  if (verdicts.length !== lines.length)
    throw new Error(`${lines.length} requests, ${verdicts.length} answers\n${stdout}`);
  const isRefused = (verdict: string) => /^(401|404 POST (powerOff|addVm|find)$)/.test(verdict);

  const pids = processesOf(target.folder).map(({ pid }) => pid);
  if (process.getuid?.() !== 0)
    return {
      refused: verdicts.filter(isRefused),
      open: verdicts.filter((one) => !isRefused(one)),
      read: [],
      text: stdout,
    };
  // What the folder hides by itself does not count, and that something would be found is shown.
  chmodSync(target.folder, 0o755);
  const bait = join(target.folder, 'bait');
  writeFileSync(bait, '', { mode: 0o644 });
  const files = await asNobody(`find '${target.folder}' -mindepth 1 -readable 2>/dev/null; true`);
  rmSync(bait);
  const seen = files.stdout.split('\n').filter(Boolean);
  if (!seen.includes(bait)) throw new Error('the other user cannot look at all');
  const arguments_ = await asNobody(`cat ${pids.map((pid) => `/proc/${pid}/cmdline`).join(' ')} 2>/dev/null; true`);
  return {
    refused: verdicts.filter(isRefused),
    open: verdicts.filter((one) => !isRefused(one)),
    read: seen.filter((path) => path !== bait),
    text: `${stdout}\n${arguments_.stdout}`,
  };
};
