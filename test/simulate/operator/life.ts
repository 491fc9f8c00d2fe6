import type { StoreSnapshot } from '@vdo/kube-sim/store/store';
import { seedCrds, seedNamespaces } from '@vdo/sim-world/seed';
import { account, createOperatorStory, type OperatorStory } from '../../stories/operator/create-operator-story.ts';
import { both, bothUpstream, fromConfigMap } from '../../stories/operator/matrices.ts';
import { createCoverage } from '../coverage.ts';
import { createTrace } from '../trace.ts';
import { type Acting, createActing } from './invariants/acting.ts';
import { createProofs, type Proofs } from './invariants/proofs.ts';
import { addObjectsOfOthers } from './objects-of-others.ts';

type Operator = ReturnType<OperatorStory['start']> & { readonly identity: string };

/** A life under way: what people wish, what processes there are, and what troubles them. */
export interface Life {
  readonly story: OperatorStory;
  readonly acting: Acting;
  readonly proofs: Proofs;
  readonly coverage: ReturnType<typeof createCoverage>;
  readonly trace: ReturnType<typeof createTrace>;
  serial: number;
  /** The releases of the matrix, oldest first. */
  readonly versions: string[];
  /** What the ConfigMap of the matrix held when a good one was published last, and when a broken one was. */
  readonly matrix: { newest?: string; broken?: string };
  distribution: 'Native' | 'Upstream';
  replicas: number;
  password: string;
  starts: number;
  /** Two processes, by slot; those of dead ones are forgotten. */
  readonly operators: Operator[];
  readonly backups: StoreSnapshot[];
  /** Until then nobody can be expected to report, or to report in time. */
  hinderedUntilMs: number;
  /** How many troubles keep vCenter from answering in time. */
  vcenterIsSlow: number;
  /** Pods whose names begin so fail, whatever release they are of. */
  readonly failing: Map<string, 'crash' | 'unready'>;
  /** How often the operator lost what it knew of the releases that ran. */
  amnesias: number;
  requests: number;
}

const upstreamImages = { images: { registry: 'registry.example.com' } };

/** A Lease that was not renewed is free after 15 s, and a new leader needs a moment. */
export const takeOverMs = 60_000;

/** Not before `ms` from now are processes able to do their work again. */
export const hinder = (life: Life, ms: number): void => {
  life.hinderedUntilMs = Math.max(life.hinderedUntilMs, life.story.clock.monotonicMs() + ms);
};

export const describeSpec = async ({ story, distribution, replicas }: Life) => {
  await seedCrds(story.kube, 'vdo.vmware.com_vspheredrivers.yaml');
  await story.describe({ distribution, ...upstreamImages, csi: { replicas }, updates: fromConfigMap });
};
export const putAccount = ({ story, password }: Life) => story.putSecret({ ...account, password });

/** Publishes the next patch release beside the last one; the upstream ones stay as they are. */
export const publishNext = async (life: Life): Promise<string> => {
  // Above all that is in the image: people never go back.
  const version = `9.0.${life.versions.length}`;
  life.versions.push(version);
  life.serial += 1;
  const versions = life.versions.slice(-2);
  const { data } = await life.story.publish(life.serial, [...both(...versions), ...bothUpstream(...versions)]);
  life.matrix.newest = JSON.stringify(data);
  return version;
};

export const startOperator = (life: Life, slot: number): string => {
  life.operators[slot]?.kill();
  life.starts += 1;
  const identity = `operator-${slot + 1}.${life.starts}`;
  life.operators[slot] = { ...life.story.start(identity), identity };
  return identity;
};

/** Two operators, one vCenter, both drivers installed. */
export const beginLife = async (seed: number): Promise<Life> => {
  const trace = createTrace();
  const acting = createActing(seed);
  const proofs = createProofs();
  const story = await createOperatorStory({
    whileReady: (pod, signal) => acting.lead(pod, signal),
    beforeVCenter: proofs.before,
    // Leases are most of what costs time here.
    retryPeriodMs: 5_000,
    onRequest: (identity, name, atMs) => {
      life.requests += 1;
      trace.update(`${atMs} ${identity} ${name}\n`);
    },
  });
  acting.open(story);
  const life: Life = {
    story,
    acting,
    proofs,
    coverage: createCoverage(),
    trace,
    serial: 0,
    versions: [],
    matrix: {},
    distribution: 'Native',
    replicas: 1,
    password: account.password,
    starts: 0,
    operators: [],
    backups: [],
    hinderedUntilMs: 0,
    vcenterIsSlow: 0,
    failing: new Map(),
    amnesias: 0,
    requests: 0,
  };
  story.stubs.behaveBy(({ metadata: { name = '' } }) => [...life.failing].find(([part]) => name.startsWith(part))?.[1]);
  await seedNamespaces(story.kube, 'vmware-system-csi');
  await addObjectsOfOthers(story.kube);
  await publishNext(life);
  await putAccount(life);
  await describeSpec(life);
  startOperator(life, 0);
  startOperator(life, 1);
  await story.advance(60_000);
  return life;
};
