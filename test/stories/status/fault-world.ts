import { createSeededRandom } from '@vdo/base/random';
import { healthOf } from '@vdo/config/api/health';
import { createSimTestbed, namespace, server } from '@vdo/operator/testing/sim-testbed';
import { clusterFaults } from '@vdo/sandbox/faults/cluster-faults';
import type { Broken, Fault } from '@vdo/sandbox/faults/fault';
import { vcenterFaults } from '@vdo/sandbox/faults/vcenter-faults';

export type Distribution = 'Native' | 'Upstream';

export const second = 1_000;
export const minute = 60 * second;
const nodeNames = ['node-1', 'node-2'];
/** The account of the drivers: one that may do what they need and no more, so that it can lose something. */
export const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi' };

/** As `vdoctl status` has it. */
export const exitCodeOf = (word: string): number => (word === 'Healthy' || word === 'Attention' ? 0 : 3);

type Testbed = Awaited<ReturnType<typeof createSimTestbed>>;

/** What a user sees at one moment. */
export interface Seen {
  readonly fail: number;
  readonly warn: number;
  readonly unknown: number;
  readonly word: string;
}

export interface FaultWorldOptions {
  readonly distribution: Distribution;
  /** How the resource names the vCenter. Default: as the demonstration one is called. */
  readonly vcenterOf?: (testbed: Testbed) => Promise<Readonly<Record<string, unknown>>>;
}

/** An operator at rest, and the faults of the sandbox for it: all times on its clock, and nobody asks it to check. */
export const openFaultWorld = async ({ distribution, vcenterOf }: FaultWorldOptions) => {
  const testbed = await createSimTestbed();
  const { clock, kube, vsphere } = testbed;
  for (const name of nodeNames) await testbed.joinNode(name);
  await testbed.putSecret(account);
  const vcenter = (await vcenterOf?.(testbed)) ?? { server };
  await testbed.describe({
    distribution,
    images: { registry: 'registry.example' },
    vcenters: [{ ...vcenter, credentialsSecret: 'vcenter' }],
  });
  await testbed.becomes('Ready', 'True', 'AllReady');
  await clock.advance(10 * minute);

  const random = createSeededRandom(1);
  const faults: Readonly<Record<string, Fault>> = {
    ...vcenterFaults({
      control: vsphere.control,
      volumes: vsphere.volumes,
      nodeNames,
      username: account.username,
      usePassword: async (password) => void (await testbed.putSecret({ ...account, password })),
      random,
    }),
    ...clusterFaults(kube, { namespace, nodeNames, clock, random }),
  };
  let healthyWhileFailing = false;
  const observe = async (): Promise<Seen> => {
    const resource = await testbed.drivers();
    const { fail = 0, warn = 0, unknown = 0 } = resource?.status?.checks ?? {};
    const { word } = healthOf(resource);
    healthyWhileFailing ||= fail > 0 && exitCodeOf(word) === 0;
    return { fail, warn, unknown, word };
  };
  const atRest = JSON.stringify(await observe());

  /** Seconds until it holds, or the limit. */
  const wait = async (
    until: (seen: Seen) => boolean,
    { stepMs, limitMs }: { readonly stepMs: number; readonly limitMs: number },
  ): Promise<number> => {
    const startMs = clock.monotonicMs();
    for (;;) {
      const passedMs = clock.monotonicMs() - startMs;
      if (until(await observe()) || passedMs > limitMs) return Math.round(passedMs / second);
      await clock.advance(stepMs);
    }
  };

  return {
    testbed,
    observe,
    /** Whether the word was ever a good one while a check failed. */
    wasHealthyWhileFailing: () => healthyWhileFailing,
    break: async (name: string): Promise<Broken> => {
      const fault = faults[name];
      if (!fault) throw new Error(`the sandbox has no fault ${name}`);
      return fault();
    },
    wait,
    /** What a watch tells shows within seconds; only what waits for its turn is looked for in larger steps. */
    waitToShow: async (): Promise<number> => {
      const shows = ({ fail, warn }: Seen) => fail + warn > 0;
      const prompt = await wait(shows, { stepMs: second, limitMs: 10 * second });
      const late = prompt > 10 ? await wait(shows, { stepMs: 15 * second, limitMs: 66 * minute }) : 0;
      return prompt + late;
    },
    waitForGreen: (): Promise<number> =>
      wait((seen) => JSON.stringify(seen) === atRest, { stepMs: second, limitMs: 10 * minute }),
  };
};
