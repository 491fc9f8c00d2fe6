import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ConnectedKubeClient, connectKube } from '@vdo/kube/connect-kube';
import { leases } from '@vdo/kube/types/cluster';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTempFolder, type TempFolder } from '../../harness/cleanup.ts';
import { type ControlPlane, startControlPlane } from '../../harness/control-plane.ts';
import { partPath } from '../../harness/parts.ts';
import { type LoggedProcess, spawnLogged } from '../../harness/process.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { bundleProgram } from './bundle-program.ts';
import { clock } from './kube-target.ts';

const electorProgram = fileURLToPath(new URL('./programs/elector-program.ts', import.meta.url));
let plane: ControlPlane;
let client: ConnectedKubeClient;
let folder: TempFolder;
let program = '';
const started: LoggedProcess[] = [];

beforeAll(async () => {
  folder = await createTempFolder('election');
  [plane, program] = await Promise.all([
    startControlPlane({ controllers: [] }),
    bundleProgram(electorProgram, folder.file('elector.mjs')),
  ]);
  client = await connectKube({ kubeconfigPath: plane.kubeconfigPath, env: {}, clock });
});
afterAll(async () => {
  for (const process of started) {
    process.kill('SIGCONT');
    await process.stop();
  }
  await client?.close();
  await plane?.stop();
  await folder?.remove();
});

const namespace = 'kube-system';
const holder = async (name: string): Promise<string> =>
  (await client.find(leases, { namespace, name }))?.spec?.holderIdentity ?? '';

const startOurs = (lease: string, identity: string): LoggedProcess => {
  const process = spawnLogged('node', [program, plane.kubeconfigPath, namespace, lease, identity], { name: identity });
  started.push(process);
  return process;
};

/** A Go program that competes for the same Lease with client-go. It exits when it loses what it held. */
const startGo = (lease: string): LoggedProcess => {
  const process = spawnLogged(
    partPath('kube-controller-manager'),
    [
      `--kubeconfig=${plane.kubeconfigPath}`,
      '--controllers=serviceaccount-controller',
      '--secure-port=0',
      '--leader-elect=true',
      `--leader-elect-resource-name=${lease}`,
      `--leader-elect-resource-namespace=${namespace}`,
      '--leader-elect-lease-duration=4s',
      '--leader-elect-renew-deadline=3s',
      '--leader-elect-retry-period=500ms',
    ],
    { name: 'kube-controller-manager' },
  );
  started.push(process);
  return process;
};

const timesOf = (process: LoggedProcess, what: string): number[] =>
  [...process.tail().matchAll(new RegExp(`^${what} (\\d+)$`, 'gm'))].map(([, time]) => Number(time));
const isGo = (identity: string) => identity !== '' && !identity.startsWith('ours');

describe('our elector and client-go on one Lease', () => {
  test('a Go leader is left alone, and followed when it stands still', async () => {
    const lease = 'go-first';
    const go = startGo(lease);
    await waitFor(async () => isGo(await holder(lease)), { what: 'the Go process to lead', processes: [go] });
    const ours = startOurs(lease, 'ours-1');
    await sleep(6_000);
    expect(timesOf(ours, 'acts')).toEqual([]);

    go.kill('SIGSTOP');
    const stoppedAt = Date.now();
    await waitFor(async () => (await holder(lease)) === 'ours-1', { what: 'ours to take over', processes: [ours] });
    await waitFor(() => timesOf(ours, 'acts').length > 0, { what: 'ours to act', processes: [ours] });
    // Not before the Go leader's own time was up, counted from its last renewal.
    expect(Math.min(...timesOf(ours, 'acts')) - stoppedAt).toBeGreaterThan(2_900);
    expect((await client.get(leases, { namespace, name: lease })).spec).toMatchObject({ leaseTransitions: 1 });

    // The Go process finds that it has lost, and ends itself as client-go's leaders do.
    go.kill('SIGCONT');
    expect(await go.exited).not.toBe(0);
    expect(await holder(lease)).toBe('ours-1');
    await ours.stop();
    expect(await holder(lease)).toBe('');
    expect(timesOf(ours, 'exits')).toHaveLength(1);
  });

  test('a process of ours that was stopped past its Lease performs no fenced action afterwards', async () => {
    const lease = 'ours-first';
    const ours = startOurs(lease, 'ours-2');
    await waitFor(() => timesOf(ours, 'acts').length > 10, { what: 'ours to act', processes: [ours] });
    const go = startGo(lease);
    await sleep(3_000);
    expect(await holder(lease)).toBe('ours-2');

    ours.kill('SIGSTOP');
    await waitFor(async () => isGo(await holder(lease)), { what: 'the Go process to take over', processes: [go] });
    await sleep(1_000);
    const resumedAt = Date.now();
    ours.kill('SIGCONT');
    await waitFor(() => timesOf(ours, 'refrains').length > 0, { what: 'ours to notice', processes: [ours] });
    await waitFor(() => timesOf(ours, 'ends').length > 0, { what: 'the work of ours to end', processes: [ours] });
    expect(timesOf(ours, 'acts').filter((time) => time >= resumedAt)).toEqual([]);
    expect(isGo(await holder(lease))).toBe(true);

    // And it leads again once the Go process is gone.
    const before = timesOf(ours, 'leads').length;
    await go.stop();
    await waitFor(() => timesOf(ours, 'leads').length > before, { what: 'ours to lead again', processes: [ours] });
    await ours.stop();
  });
});
