import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystemClock } from '@vdo/base/clock';
import { serveHttp } from '@vdo/base/http-server';
import { account as administrator } from '@vdo/operator/testing/sim-testbed';
import { runVdoctl, type VdoctlRun } from '@vdo/vdoctl/testing/run-vdoctl';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { wordsOf } from '../../checks/remedy-commands.ts';
import { type Distribution, openFaultWorld } from './fault-world.ts';

export interface RemedyRun {
  readonly commands: readonly string[];
  /** Of each command that was run: those of vdoctl, until one fails. */
  readonly runs: readonly VdoctlRun[];
  readonly word: string;
  readonly healthyWhileFailing: boolean;
  /** Seconds from the end of the last command until everything is as before. */
  readonly greenAfter: number;
}

const kubeconfigOf = (url: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'sim', cluster: { server: url } }],
    users: [{ name: 'admin', user: {} }],
    contexts: [{ name: 'sim', context: { cluster: 'sim', user: 'admin' } }],
    'current-context': 'sim',
  });

/** Breaks it, runs the commands that the status shows with vdoctl itself, over sockets, and waits until everything is green. */
export const runRemedyOf = async (name: string, distribution: Distribution): Promise<RemedyRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'remedy-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const world = await openFaultWorld({
      distribution,
      vcenterOf: async ({ vsphere, kubeSim }) => {
        const served = await serveVSphereSim(vsphere, { clock: createSystemClock() });
        closing.push(() => served.close());
        const api = await serveHttp({ handler: (request) => kubeSim.handler(request), port: 0 });
        closing.push(() => api.close());
        await writeFile(kubeconfig, kubeconfigOf(api.url));
        return { server: served.host, port: served.port, tls: { thumbprints: [served.thumbprints.sha256] } };
      },
    });
    closing.unshift(() => world.testbed.stop());
    const { clock } = world.testbed;
    /** The world goes on while a command runs, five times as fast. */
    const meanwhile = async <T>(work: Promise<T>): Promise<T> => {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      while (!isOver) {
        await clock.advance(50);
        await sleep(10);
      }
      return work;
    };

    await world.break(name);
    await world.waitToShow();
    const failing = (await world.testbed.drivers())?.status?.checks?.failing ?? [];
    const commands = failing.find((check) => check.commands)?.commands ?? [];
    const runs: VdoctlRun[] = [];
    for (const command of commands) {
      const [program, ...words] = wordsOf(command);
      if (program !== 'vdoctl' || runs.some(({ exitCode }) => exitCode !== 0)) break;
      const env = { KUBECONFIG: kubeconfig, VDO_VCENTER_PASSWORD: administrator.password };
      runs.push(await meanwhile(runVdoctl(words, { env })));
    }
    return {
      commands,
      runs,
      word: (await world.observe()).word,
      healthyWhileFailing: world.wasHealthyWhileFailing(),
      greenAfter: runs.length > 0 ? await world.waitForGreen() : 0,
    };
  } finally {
    for (const close of closing) await close();
  }
};
