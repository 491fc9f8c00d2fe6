import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSystemClock } from '@vdo/base/clock';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { type ConnectedKubeClient, connectKube } from '@vdo/kube/connect-kube';
import { events as eventResource, persistentVolumeClaims } from '@vdo/kube/types/core';
import type { StatusReport } from '@vdo/vdoctl/shared/status/status-report';
import { expect } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { awkwardEnd } from './canary-scan.ts';
import { type SandboxProcess, sandboxHome, vdoctlProgram } from './sandbox-process.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** An event as `vdoctl events` tells it. */
export interface EventRow {
  readonly type: string;
  readonly reason: string;
  readonly object: string;
  readonly message: string;
  readonly count: number;
}

/** A fault, and how its user sees it. */
export interface FaultCase {
  readonly fault: string;
  /** The remedy that the report tells while the fault holds; undefined as long as it does not show. */
  readonly shows: (report: StatusReport) => string | undefined;
  readonly event: { readonly type: 'Warning' | 'Normal'; readonly reason: RegExp; readonly object: string };
}

const keyOf = ({ reason, object, message, count }: EventRow) => [reason, object, message, count].join(' ');
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
export const condition = (report: StatusReport, type: string) => report.conditions.find((one) => one.type === type);
export const failing = (report: StatusReport, id: string) => report.failing.find((check) => check.id === id);

/** Says when something changes in the cluster that vdoctl shows: asking vdoctl itself all the time would keep a core busy. */
const followChanges = (kube: ConnectedKubeClient) => {
  const over = new AbortController();
  const { signal } = over;
  let [count, seen] = [0, 0];
  let wake = (): void => {};
  const follow = async (watched: AsyncIterable<unknown>) => {
    for await (const _ of watched) {
      count += 1;
      wake();
    }
  };
  const ended = Promise.allSettled([
    follow(kube.watch(vsphereDrivers, { signal })),
    follow(kube.watch(eventResource, { signal })),
    follow(kube.watch(persistentVolumeClaims, { signal })),
  ]);
  return {
    /** After a change since the last time, or after two seconds: what doctor sees may change without one. */
    next: async () => {
      const change = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (count === seen) await Promise.race([change, sleep(2_000)]);
      seen = count;
    },
    stop: async () => {
      over.abort();
      await ended;
    },
  };
};

/** A sandbox as a process of its own, which is broken and healed with vdoctl as its user does it. */
export const createFaultTestbed = () => {
  const home = sandboxHome();
  const { folder, env } = home;
  /** All that vdoctl has printed. */
  const printed: string[] = [];
  /** Every password that the drivers' account has had. */
  const passwords = new Set<string>();
  let sandbox: SandboxProcess | undefined;
  let kube: ConnectedKubeClient | undefined;
  let changes: ReturnType<typeof followChanges> | undefined;
  /** Of the administrator of its vCenter, as soon as it runs. */
  let password = '';

  const running = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the sandbox does not run');
    return part;
  };
  const record = () => JSON.parse(readFileSync(env.VDO_SANDBOX_RECORD, 'utf8'));
  const notePassword = () => passwords.add(record().vcenter.password);
  const vdoctl = (...args: readonly string[]) =>
    run(process.execPath, [vdoctlProgram, ...args], {
      cwd: folder,
      env: { ...env, VDO_VCENTER_PASSWORD: password },
      maxBuffer: 64 << 20,
    })
      .catch((error: { readonly stdout: string; readonly stderr: string; readonly code: number }) => error)
      .then((result) => {
        printed.push(result.stdout, result.stderr);
        return result;
      });
  const status = async (): Promise<StatusReport> => JSON.parse((await vdoctl('status', '-o', 'json')).stdout);
  const events = async (): Promise<readonly EventRow[]> =>
    JSON.parse((await vdoctl('events', '--since', '1h', '-o', 'json')).stdout);
  /** Those that were not there before. */
  const newEvents = async (before: readonly EventRow[]): Promise<readonly EventRow[]> => {
    const known = new Set(before.map(keyOf));
    return (await events()).filter((event) => !known.has(keyOf(event)));
  };
  /** All that doctor prints, in one line. */
  const doctor = async (): Promise<string> => oneLine((await vdoctl('doctor')).stdout);
  const until = <T>(what: string, attempt: () => Promise<T>) =>
    waitFor(attempt, { what, timeoutMs: 150_000, wait: () => running(changes).next() });

  /** Tells the events that were there before. */
  const breakIt = async (fault: string): Promise<readonly EventRow[]> => {
    const before = await events();
    const broken = await vdoctl('sandbox', 'break', fault);
    expect(broken.stdout).toContain(`vdoctl sandbox heal ${fault}`);
    expect((await vdoctl('sandbox', 'status')).stdout).toContain(fault);
    expect((await vdoctl('sandbox', 'break')).stdout).toMatch(new RegExp(`^${fault} .*\\(active\\)$`, 'm'));
    return before;
  };

  const healIt = async (fault: string, isGone: (report: StatusReport) => boolean): Promise<void> => {
    expect((await vdoctl('sandbox', 'heal')).stdout).toContain(`Healed: ${fault}`);
    notePassword();
    await until(`health after ${fault}`, async () => {
      const report = await status();
      return report.health === 'Healthy' && isGone(report);
    });
    await until(`doctor to find nothing after ${fault}`, async () => (await doctor()).startsWith('Healthy '));
    // The operator looks again in rounds.
    let left: StatusReport['failing'] = [];
    await until(`status to name no failing check after ${fault}`, async () => {
      left = (await status()).failing;
      return left.length === 0;
    }).catch((error: Error) => {
      throw new Error(`${error.message}\n${JSON.stringify(left, undefined, 1)}`);
    });
  };

  /** What the status says of a fault, as soon as it says something. */
  const showing = async (fault: string, shows: (report: StatusReport) => string | undefined): Promise<string> => {
    let last: StatusReport | undefined;
    return until(`${fault} to show`, async () => {
      last = await status();
      const text = shows(last) ?? '';
      return text.length > 10 ? text : undefined;
    }).catch((error: Error) => {
      throw new Error(`${error.message}\n${JSON.stringify(last, undefined, 1)}`);
    });
  };

  /** Breaks it, waits until it shows as the case says, heals it. */
  const playFault = async ({ fault, shows, event }: FaultCase): Promise<void> => {
    const before = await breakIt(fault);
    const remedy = await showing(fault, shows);
    const reported = await vdoctl('status');
    expect(oneLine(reported.stdout)).toContain(`Remedy: ${oneLine(remedy)}`);
    expect(reported).toMatchObject({ code: 3 });
    expect(['Degraded', 'Unavailable', 'ActionRequired']).toContain((await status()).health);
    expect(await doctor()).toMatch(/^(ActionRequired|Degraded|Attention) .*Remedy: /);
    // The first words may come from a check that met the fault before the operator did; in the end status and event say the same.
    await until(`an event of ${fault} with the remedy that the status shows`, async () => {
      // Long messages are cut off by the API: the beginning of the remedy is there.
      const shown = (shows(await status()) ?? remedy).slice(0, 40);
      return (await newEvents(before)).find(
        ({ type, reason, object, message }) =>
          type === event.type && event.reason.test(reason) && object === event.object && message.includes(shown),
      );
    });
    await healIt(fault, (report) => shows(report) === undefined);
  };

  return {
    folder,
    env,
    printed,
    passwords,
    record,
    vdoctl,
    status,
    events,
    newEvents,
    doctor,
    until,
    breakIt,
    healIt,
    showing,
    playFault,
    get password() {
      return password;
    },
    get sandbox() {
      return running(sandbox);
    },
    get kube() {
      return running(kube);
    },

    start: async (): Promise<void> => {
      await run(process.execPath, ['tools/build.mjs'], { cwd: root });
      sandbox = home.start(['--simulate-mounts', '--timeout', '200s'], { VDO_SANDBOX_PASSWORD_END: awkwardEnd });
      await sandbox.says('The sandbox runs until', 300_000);
      password = record().vcenter.administrator.password;
      notePassword();
      kube = await connectKube({ kubeconfigPath: record().kubeconfig, env: {}, clock: createSystemClock() });
      changes = followChanges(kube);
    },

    /** The sandbox ends well, and leaves nothing in its folder. */
    stop: async (): Promise<void> => {
      await changes?.stop();
      await kube?.close();
      sandbox?.kill('SIGINT');
      const code = await sandbox?.ended;
      const left = readdirSync(folder);
      await home.clean();
      expect({ code, left }).toEqual({ code: 0, left: [] });
    },

    scaleDiary: async (replicas: number): Promise<void> => {
      const client = running(kube);
      const statefulSets = await client.resourceFor('apps/v1', 'StatefulSet');
      const key = { namespace: 'default', name: 'diary' };
      await client.patch(statefulSets, key, { type: 'merge', body: { spec: { replicas } } });
    },
  };
};
