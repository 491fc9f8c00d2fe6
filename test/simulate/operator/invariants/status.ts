import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import type { Life } from '../life.ts';
import { observeReality, type Reality, type RealWorkload } from './reality.ts';

/** A look follows a change within a minute, and it takes a while; one that fails is repeated within a minute. */
const passMs = 150_000;
/** What is replaced may be away for so long. */
const graceMs = 120_000;
/** vCenter is asked so often while all is well. */
const vcenterMs = 330_000;
/** A session outlives the password it was opened with: so often a login is made anew. */
const proofMs = 1_800_000;
/** Credentials that were rejected are not tried again for so long. */
const rejectedMs = 900_000;

/** A pass waits 20 s for each of two answers of a vCenter that says nothing, and begins anew if somebody has written a new spec. */
const silence = { lateMs: 60_000, afterMs: 300_000 } as const;

type Said = VSphereDriversStatus;
interface Claim {
  /** How long it may be wrong while nobody is hindered. */
  readonly withinMs: number;
  /** The lie, if it is one. */
  readonly lie: (said: Said, real: Reality, past: Past) => string | undefined | false;
}
/** The release that ran whole last, by driver; none after it was uninstalled, or the operator lost what it knew of it. */
type Past = ReadonlyMap<string, string>;

const condition = (said: Said, type: string) => said.conditions?.find((one) => one.type === type);
const is = (said: Said, type: string, status: string): boolean => condition(said, type)?.status === status;
const kinds = ['CPI', 'CSI'] as const;
const of = ({ workloads }: Reality, kind: string) => workloads.filter(({ driver }) => driver === kind);
const short = ({ wanted, ready }: RealWorkload): boolean => ready < wanted;
const serves = (real: Reality, kind: string): boolean =>
  of(real, kind).some(({ isNodeAgent, ready }) => !isNodeAgent && ready > 0);
/** Workloads that an installation has: CPI, CSI controller, CSI nodes. */
const whole = 3;

const claims: Readonly<Record<string, Claim>> = {
  'Available=True': {
    withinMs: graceMs + passMs,
    lie: (said, real) => is(said, 'Available', 'True') && kinds.find((kind) => !serves(real, kind)),
  },
  'Available=False': {
    withinMs: passMs,
    lie: (said, real) => is(said, 'Available', 'False') && kinds.every((kind) => serves(real, kind)) && 'all serve',
  },
  'Ready=True': {
    withinMs: passMs,
    lie: (said, real) =>
      is(said, 'Ready', 'True') &&
      (real.workloads.length < whole || real.workloads.some(short)) &&
      `${real.workloads.length} workloads: ${real.workloads.map(({ ready, wanted }) => `${ready}/${wanted}`).join(', ')}`,
  },
  'Progressing=False/UpToDate': {
    withinMs: passMs,
    lie: (said, real) => {
      const { status, reason } = condition(said, 'Progressing') ?? {};
      return status === 'False' && reason === 'UpToDate' && real.workloads.some(short) && 'pods are missing';
    },
  },
  'Degraded=False': {
    withinMs: graceMs + passMs,
    lie: (said, real) =>
      is(said, 'Degraded', 'False') && real.workloads.some(({ failing }) => failing > 0) && 'pods fail',
  },
  'the version of a driver': {
    withinMs: passMs,
    lie: (said, real) => {
      const wrong = kinds.filter((kind) => {
        const shown = said.drivers?.find((one) => one.kind === kind);
        const there = of(real, kind).map(({ release }) => release);
        const claim =
          shown?.version === undefined ? undefined : `${shown.distribution?.toLowerCase()} ${shown.version}`;
        return claim === undefined ? there.length > 0 : !there.includes(claim);
      });
      return wrong.length > 0 && `${wrong.join(', ')}: ${real.workloads.map(({ release }) => release).join(', ')}`;
    },
  },
  'that nothing is changed': {
    withinMs: passMs,
    lie: (said, real) =>
      kinds.find((kind) => {
        const shown = said.drivers?.find((one) => one.kind === kind);
        return shown && shown.target === undefined && new Set(of(real, kind).map(({ release }) => release)).size > 1;
      }),
  },
  'that no controller is replaced by one of another release': {
    withinMs: passMs,
    lie: (said, real, past) =>
      real.nodesAnswer &&
      kinds.find((kind) => {
        const shown = said.drivers?.find((one) => one.kind === kind);
        const before = past.get(kind);
        const isNew = (one: RealWorkload) => before !== undefined && one.release !== before;
        const waits = of(real, kind).some((one) => !one.isNodeAgent && isNew(one) && short(one));
        return shown && shown.target === undefined && waits;
      }),
  },
  'VCenterReachable=True': {
    withinMs: vcenterMs + passMs,
    lie: (said, real) => is(said, 'VCenterReachable', 'True') && real.vcenterIsAway && 'it is away',
  },
  'VCenterReachable=False': {
    withinMs: passMs,
    lie: (said, real) => is(said, 'VCenterReachable', 'False') && real.vcenterAnswers && 'it answers',
  },
  'CredentialsValid=True': {
    withinMs: passMs,
    lie: (said, real) =>
      is(said, 'CredentialsValid', 'True') &&
      !real.passwordIsRight &&
      !real.passwordWasRight &&
      'the password was never right',
  },
  'CredentialsValid=True of a password that was changed at vCenter': {
    withinMs: proofMs + vcenterMs + passMs,
    lie: (said, real) =>
      is(said, 'CredentialsValid', 'True') && !real.passwordIsRight && real.vcenterAnswers && 'the password is wrong',
  },
  'CredentialsValid=False': {
    withinMs: rejectedMs + passMs,
    lie: (said, real) =>
      is(said, 'CredentialsValid', 'False') && real.passwordIsRight && real.vcenterAnswers && 'the password is right',
  },
  'Upgradeable=True of a broken matrix': {
    withinMs: graceMs + passMs,
    lie: (said, real) => is(said, 'Upgradeable', 'True') && real.matrixIs === 'broken' && 'the matrix cannot be read',
  },
  'Upgradeable=False of a matrix that was corrected': {
    withinMs: graceMs + passMs,
    lie: (said, real) => {
      const { status, reason = '' } = condition(said, 'Upgradeable') ?? {};
      return status === 'False' && /^Matrix/.test(reason) && real.matrixIs === 'newest' && reason;
    },
  },
  observedGeneration: {
    withinMs: passMs,
    lie: (said, { resource }) =>
      said.observedGeneration !== resource?.metadata.generation &&
      `${said.observedGeneration} of ${resource?.metadata.generation}`,
  },
};

const createPast = (life: Life) => {
  const past = new Map<string, string>();
  let amnesias = 0;
  return (real: Reality): Past => {
    if (life.amnesias !== amnesias) past.clear();
    amnesias = life.amnesias;
    for (const kind of kinds) {
      const own = of(real, kind);
      const [first, ...others] = new Set(own.map(({ release }) => release));
      if (first === undefined) past.delete(kind);
      else if (others.length === 0 && !own.some(short)) past.set(kind, first);
    }
    return past;
  };
};

/** Compares the status with what is, at every look: a claim may be wrong for one pass, not longer. */
export const createStatusJudge = (life: Life): (() => readonly string[]) => {
  const sinceMs = new Map<string, number>();
  const pastOf = createPast(life);
  let slowMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = life.story.clock.monotonicMs();
    if (life.vcenterIsSlow > 0) slowMs = nowMs;
    const lateMs = nowMs - slowMs < silence.afterMs ? silence.lateMs : 0;
    const real = observeReality(life);
    const past = pastOf(real);
    const said = real.resource?.status;
    // A resource that goes has nothing more to say until it is refused.
    const isJudged = said !== undefined && !real.resource?.metadata.deletionTimestamp && nowMs >= life.hinderedUntilMs;
    return Object.entries(claims).flatMap(([name, { withinMs, lie }]) => {
      const found = isJudged && lie(said as Said, real, past);
      if (!found) {
        sinceMs.delete(name);
        return [];
      }
      const began = sinceMs.get(name) ?? nowMs;
      sinceMs.set(name, began);
      return nowMs - began > withinMs + lateMs
        ? [`the status says ${name} for ${(nowMs - began) / 1000} s: ${found}`]
        : [];
    });
  };
};
