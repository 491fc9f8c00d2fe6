import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import { toVdoError } from '@vdo/base/vdo-error';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { aborted } from './aborted.ts';
import type { SandboxFlags } from './cli.ts';
import { readInstallManifests } from './deploy-files.ts';
import { createReporter, type Reporter, statusTable } from './reporter.ts';
import { type SimHouse, startSimHouse } from './sim-house.ts';
import { tailLogs } from './tail-logs.ts';
import { createThread, readDrivers } from './thread.ts';

export interface RunSandboxOptions {
  readonly flags: SandboxFlags;
  /** Where deploy/ and the apps' bundles are. */
  readonly repository: string;
  readonly env: Readonly<Record<string, string>>;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

const namespace = 'vmware-system-vdo';
const account = { username: 'administrator@vsphere.local', password: 'obviously-fake' };

const showStatus = async (house: SimHouse, report: Reporter): Promise<void> => {
  const drivers = await readDrivers(house.kube).catch(() => undefined);
  report.line();
  report.line('VSphereDrivers cluster');
  for (const row of statusTable(drivers?.status)) report.line(`  ${row}`);
  report.line();
};

/** Runs the sandbox; true if it reached Ready and everything it promised, false if not. Nothing is left behind. */
export const runSandbox = async (options: RunSandboxOptions): Promise<boolean> => {
  const { flags, repository, signal } = options;
  const clock = createSystemClock();
  const random = createSystemRandom();
  const startedMs = clock.monotonicMs();
  const report = createReporter({ write: options.write, elapsedMs: () => clock.monotonicMs() - startedMs });
  const model = demoModel();
  const folder = await mkdtemp(join(tmpdir(), 'vdo-'));
  let house: SimHouse | undefined;
  try {
    report.step('Starting a simulated vCenter and an embedded Kubernetes API');
    const bundle = (app: string) => join(repository, 'apps', app, 'dist', 'main.js');
    house = await startSimHouse({
      model,
      folder,
      namespace,
      bundle,
      env: options.env,
      clock,
      random,
      logger: silentLogger,
    });
    report.done(`vCenter at ${house.vcenter.url}, Kubernetes for kubectl --kubeconfig ${house.kubeconfigPath}`);
    const manifests = await readInstallManifests(join(repository, 'deploy'));
    const thread = createThread({
      house,
      manifests,
      model,
      account,
      namespace,
      nodeCount: flags.nodes,
      stepTimeoutMs: flags.timeout * 1000,
      clock,
      report,
    });
    for (const step of thread.up) await step(signal);
    await showStatus(house, report);
    if (flags.keep) {
      report.line('Everything keeps running: press Ctrl-C to stop.');
      await aborted(signal);
    } else {
      for (const step of thread.down) await step(signal);
    }
    report.step(`Done: ${flags.keep ? 'stopped' : 'reached Ready, and cleaned up'}.`);
    return true;
  } catch (error) {
    if (signal.aborted) {
      report.step('Interrupted: stopping everything.');
      return false;
    }
    const { code, message, remedy } = toVdoError(error);
    if (house) await showStatus(house, report);
    if (house) for (const row of await tailLogs(house.logFolder)) report.line(row);
    report.line(`Not reached: ${code}: ${message}`);
    report.line(remedy);
    return false;
  } finally {
    await house?.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
