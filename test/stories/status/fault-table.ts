import { healthOf } from '@vdo/config/api/health';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { account, createSimTestbed } from '@vdo/operator/testing/sim-testbed';
import { vcenterFaults } from '@vdo/sandbox/faults/vcenter-faults';

/** What a user sees of faults that hold together: all times on the operator's clock, and nobody asks it to check. */
export interface FaultRow {
  readonly faults: string;
  /** Seconds until a check fails. */
  readonly shownAfter: number;
  readonly word: string;
  /** Of `vdoctl status`, by the word. */
  readonly exitCode: number;
  /** Worst word while a check failed: never Healthy. */
  readonly healthyWhileFailing: boolean;
  /** What the first failing check says: commands to be run, or words. */
  readonly remedy: string;
  /** Calls to vCenter in a minute, all of them, while it fails. */
  readonly callsPerMinute: number;
  /** Words that were shown meanwhile and that `vdoctl explain` does not know. */
  readonly unexplained: readonly string[];
  /** Seconds from the repair until everything is as before. */
  readonly greenAfter: number;
}

const second = 1_000;
const minute = 60 * second;
const nodeNames = ['node-1', 'node-2'];

export const faultTableHead = [
  '| Faults | Shown after | Word | Exit code | Remedy of the worst check | Calls a minute | Green after the repair |',
  '|---|---:|---|---:|---|---:|---:|',
];
export const writeFaultRow = (row: FaultRow): string => {
  const { faults, shownAfter, word, exitCode, remedy, callsPerMinute, greenAfter } = row;
  return `| ${faults} | ${shownAfter} s | ${word} | ${exitCode} | ${remedy} | ${callsPerMinute} | ${greenAfter} s |`;
};

/** A command as code; what only a person can do as words. */
const remedyOf = (resource: VSphereDrivers | undefined): string => {
  const [worst] = resource?.status?.checks?.failing ?? [];
  if (!worst) return '';
  const [first] = worst.commands ?? [];
  return `\`${worst.id}\`: ${first === undefined ? 'in words' : `\`${first.replaceAll('|', '\\|')}\``}`;
};

const exitCodeOf = (word: string): number => (word === 'Healthy' || word === 'Attention' ? 0 : 3);

/** Breaks these, waits until it shows, repairs them and waits until everything is green. */
export const tryFaults = async (
  names: readonly string[],
  distribution: 'Native' | 'Upstream' = 'Native',
): Promise<FaultRow> => {
  const testbed = await createSimTestbed();
  try {
    for (const name of nodeNames) await testbed.joinNode(name);
    await testbed.putSecret(account);
    await testbed.describe({ distribution, images: { registry: 'registry.example' } });
    await testbed.becomes('Ready', 'True', 'AllReady');
    await testbed.clock.advance(10 * minute);
    let healthyWhileFailing = false;
    let word = '';
    const observe = async () => {
      const resource = await testbed.drivers();
      const { fail = 0, unknown = 0 } = resource?.status?.checks ?? {};
      word = healthOf(resource).word;
      healthyWhileFailing ||= fail > 0 && (word === 'Healthy' || word === 'Attention');
      return { fail, unknown, word };
    };
    const atRest = JSON.stringify(await observe());
    const wait = async (
      until: (seen: Awaited<ReturnType<typeof observe>>) => boolean,
      { stepMs, limitMs }: { readonly stepMs: number; readonly limitMs: number },
    ): Promise<number> => {
      const startMs = testbed.clock.monotonicMs();
      for (;;) {
        const passedMs = testbed.clock.monotonicMs() - startMs;
        if (until(await observe()) || passedMs > limitMs) return Math.round(passedMs / second);
        await testbed.clock.advance(stepMs);
      }
    };
    const faults = vcenterFaults({
      control: testbed.vsphere.control,
      volumes: testbed.vsphere.volumes,
      nodeNames,
      username: account.username,
      usePassword: async (password) => void (await testbed.putSecret({ ...account, password })),
      random: { uuid: () => 'obviously-fake', next: () => 0.5 } as Parameters<typeof vcenterFaults>[0]['random'],
    });
    const broken = [];
    for (const name of names) broken.push(await faults[name as keyof typeof faults]?.());
    // What a watch tells shows within seconds; only what waits for its turn is looked for in larger steps.
    const prompt = await wait(({ fail }) => fail > 0, { stepMs: second, limitMs: 10 * second });
    const late = prompt > 10 ? await wait(({ fail }) => fail > 0, { stepMs: 15 * second, limitMs: 66 * minute }) : 0;
    const shownAfter = prompt + late;
    const shown = word;
    const remedy = remedyOf(await testbed.drivers());
    // So that every check has seen it, and faults that come together are all there.
    await testbed.clock.advance(2 * minute);
    const calls = () => testbed.vsphere.recorder.calls().length;
    const before = calls();
    await testbed.clock.advance(3 * minute);
    const callsPerMinute = Math.round((calls() - before) / 3);
    await observe();
    for (const one of broken.reverse()) await one?.heal?.();
    const greenAfter = await wait((seen) => JSON.stringify(seen) === atRest, { stepMs: second, limitMs: 10 * minute });
    return {
      faults: names.join(' + '),
      shownAfter,
      word: shown,
      exitCode: exitCodeOf(shown),
      healthyWhileFailing,
      remedy,
      callsPerMinute,
      unexplained: testbed.unexplained(),
      greenAfter,
    };
  } finally {
    await testbed.stop();
  }
};

/** They break something that the operator watches: they show within 5 s, without being looked for. */
export const shownAtOnce = [
  'tools-stopped',
  'disk-uuid-off',
  'datastore-gone',
  'vm-deleted',
  'vcenter-down',
  'bad-password',
];
/** Watched while they fail: their repair is seen by the change itself. */
export const watchable = ['tools-stopped', 'disk-uuid-off', 'datastore-gone'];
/** Their repair is an edit in the cluster. */
export const edited = ['bad-password'];
const unwatched = ['vcenter-down', 'datastore-full', 'vm-deleted'];
export const allFaults: readonly string[] = [...watchable, ...edited, ...unwatched];
