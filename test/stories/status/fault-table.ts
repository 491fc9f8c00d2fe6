import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { type FaultDescription, faultCatalogue } from '@vdo/sandbox/faults/fault-catalogue';
import { type Distribution, exitCodeOf, minute, openFaultWorld } from './fault-world.ts';

/** What a user sees of faults that hold together: all times on the operator's clock, and nobody asks it to check. */
export interface FaultRow {
  readonly faults: string;
  /** Seconds until a check fails, or warns. */
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

/** Calls come in runs: over fewer minutes one run more or less would count too much. */
const measuredMinutes = 15;

/** Breaks these, waits until it shows, repairs them and waits until everything is green. */
export const tryFaults = async (names: readonly string[], distribution: Distribution = 'Native'): Promise<FaultRow> => {
  const world = await openFaultWorld({ distribution });
  const { testbed } = world;
  try {
    const broken = [];
    for (const name of names) broken.push(await world.break(name));
    const shownAfter = await world.waitToShow();
    const { word } = await world.observe();
    const remedy = remedyOf(await testbed.drivers());
    // So that every check has seen it, and faults that come together are all there.
    await testbed.clock.advance(2 * minute);
    const calls = () => testbed.vsphere.recorder.calls().length;
    const before = calls();
    await testbed.clock.advance(measuredMinutes * minute);
    const callsPerMinute = Math.round((10 * (calls() - before)) / measuredMinutes) / 10;
    await world.observe();
    for (const one of broken.reverse()) await one.heal?.();
    const greenAfter = await world.waitForGreen();
    return {
      faults: names.join(' + '),
      shownAfter,
      word,
      exitCode: exitCodeOf(word),
      healthyWhileFailing: world.wasHealthyWhileFailing(),
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
  'node-notready',
];
/** Watched while they fail: their repair is seen by the change itself. */
export const watchable = ['tools-stopped', 'disk-uuid-off', 'datastore-gone', 'node-notready'];
/** Their repair is an edit in the cluster. */
export const edited = ['bad-password'];
const unwatched = ['vcenter-down', 'datastore-full', 'vm-deleted', 'privilege-lost'];
/** Those that make a check fail. */
export const allFaults: readonly string[] = [...watchable, ...edited, ...unwatched];
/** A check warns of these: everything works. */
export const warned: readonly string[] = ['slow-vcenter'];

const catalogue: readonly FaultDescription[] = faultCatalogue;
/** Nothing is broken for longer than a moment, so that there is nothing to show and nothing to repair. */
export const passing: readonly string[] = catalogue.filter(({ once }) => once).map(({ name }) => name);
/** Their remedy can be carried out in a simulated world. */
export const repairable: readonly string[] = catalogue
  .filter(({ once, onlyHeal }) => !once && onlyHeal === undefined)
  .map(({ name }) => name);
/** Why a fault has no row, or why its remedy is not run. */
export const reasonOf = (name: string): string => {
  const { once, watch = '', onlyHeal } = catalogue.find((fault) => fault.name === name) ?? {};
  return once ? `it passes by itself: ${watch}` : `its remedy is not run: ${onlyHeal}`;
};
