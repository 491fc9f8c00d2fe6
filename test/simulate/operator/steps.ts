import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { clusterRoles } from '@vdo/kube/types/cluster';
import { configMaps, nodes, secrets } from '@vdo/kube/types/core';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { both, fromConfigMap } from '../../stories/operator/matrices.ts';
import { account, namespace, type OperatorStory } from '../../stories/operator/operator-world.ts';
import { loseReply, outage } from '../../stories/troubles.ts';
import type { OperatorTruth } from './invariants.ts';

/** A life under way. */
export interface Life {
  readonly story: OperatorStory;
  readonly truth: OperatorTruth;
  serial: number;
  /** The releases of the matrix, oldest first. */
  readonly versions: string[];
  distribution: 'Native' | 'Upstream';
  replicas: number;
  password: string;
  starts: number;
  /** Two processes, by slot; those of dead ones are forgotten. */
  readonly operators: (ReturnType<OperatorStory['start']> & { readonly identity: string })[];
  /** Ends what does not end by itself. */
  readonly heals: (() => unknown)[];
}

type Dice = readonly [number, number, number];
/** Something that happens; returns what, or undefined if it cannot. */
export type OperatorStep = (life: Life, dice: Dice) => Promise<string | undefined> | string | undefined;

const embeddedUpstream = (['cpi', 'csi'] as const).flatMap((driver) =>
  loadEmbeddedMatrix()
    .releases.filter((one) => one.distribution === 'Upstream' && one.driver === driver)
    .slice(0, 1)
    .map((one) => ({ ...one, kubernetes: { min: '1.28', max: '1.37' } })),
);
const pick = <T>(items: readonly T[], die: number): T => items[Math.floor(die * items.length)] as T;
const upstreamImages = { images: { registry: 'registry.example.com' } };

export const describeSpec = ({ story, distribution, replicas }: Life) =>
  story.describe({ distribution, ...upstreamImages, csi: { replicas }, updates: fromConfigMap });
export const putAccount = ({ story, password }: Life) => story.putSecret({ ...account, password });

/** Publishes the next patch release beside the last one; the upstream ones stay as they are. */
export const publishNext = async (life: Life): Promise<string> => {
  const version = `1.0.${life.versions.length}`;
  life.versions.push(version);
  life.serial += 1;
  const versions = life.versions.slice(-2);
  const upstream = versions.flatMap((one) => embeddedUpstream.map((release) => ({ ...release, version: one })));
  await life.story.publish(life.serial, [...both(...versions), ...upstream]);
  return version;
};

export const startOperator = (life: Life, slot: number): void => {
  life.operators[slot]?.kill();
  life.starts += 1;
  const identity = `operator-${slot}.${life.starts}`;
  life.operators[slot] = { ...life.story.start(identity), identity };
};

const drifts = [
  [deployments, { namespace, name: 'vsphere-csi-controller' }],
  [deployments, { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' }],
  [daemonSets, { namespace, name: 'vsphere-csi-node' }],
  [configMaps, { namespace, name: 'vsphere-config' }],
  [secrets, { namespace, name: 'vsphere-credentials' }],
  [clusterRoles, { name: 'vsphere-csi-controller' }],
] as const;
const notes = ['vdo-inventory', 'vdo-releases', 'vdo-matrix', 'vdo-places'];

export const steps: Readonly<Record<string, OperatorStep>> = {
  upgrade: async (life) => `${await publishNext(life)} is published`,
  'upgrade to a broken release': async (life, [die]) => {
    const version = await publishNext(life);
    const how = pick(['crash', 'unready', 'no-image'] as const, die);
    life.story.stubs.behave(`:${version}`, how);
    life.heals.push(() => life.story.stubs.behave(`:${version}`, 'ready'));
    return `${version} is published, whose pods are ${how}`;
  },
  'bad matrix': async (life, [die]) => {
    const change = pick([{ text: 'nonsense' }, { sign: false }, { text: '{"schemaVersion":1}' }], die);
    await life.story.publish(life.serial + 1, both('9.9.9'), change);
    return `the matrix is broken: ${JSON.stringify(change)}`;
  },
  'old matrix': async (life) => {
    if (life.serial < 3) return undefined;
    await life.story.publish(life.serial - 2, both('0.9.0'));
    return 'the matrix goes back';
  },
  rotation: async (life) => {
    life.password = `obviously-fake-${life.truth.accepted.size}`;
    life.truth.accepted.add(life.password);
    life.story.vsphere.control.setAccount({ username: account.username, password: life.password });
    await putAccount(life);
    return `the password is now ${life.password}`;
  },
  'wrong password': async (life) => {
    await life.story.putSecret({ ...account, password: 'never-accepted' });
    life.heals.push(() => putAccount(life));
    return 'the Secret holds a wrong password';
  },
  drift: async ({ story }, [die]) => {
    const [resource, key] = pick(drifts, die);
    return (await story.kube.delete(resource, key)) ? `${resource.kind} ${key.name} is deleted` : undefined;
  },
  fight: ({ story, heals }, [die]) => {
    const key = { namespace, name: 'vsphere-csi-controller' };
    let goesOn = true;
    const again = () => {
      if (!goesOn) return;
      const body = { spec: { replicas: 5 } };
      void story.kube.patch(deployments, key, { type: 'merge', body }, { fieldManager: 'rival' }).catch(() => {});
      story.clock.schedule(again, 500);
    };
    again();
    const end = () => {
      goesOn = false;
    };
    heals.push(end);
    story.clock.schedule(end, 5_000 + die * 120_000);
    return 'a rival fights for the replicas';
  },
  'another spec': async (life, [die]) => {
    life.replicas = die < 0.5 ? 1 : 2;
    if (!(await life.story.drivers())) return undefined;
    await describeSpec(life);
    return `${life.replicas} replicas are wished`;
  },
  'switch the distribution': async (life) => {
    life.distribution = life.distribution === 'Native' ? 'Upstream' : 'Native';
    if (await life.story.drivers()) await describeSpec(life);
    return `the distribution is to be ${life.distribution}`;
  },
  uninstall: async ({ story }) =>
    (await story.kube.delete(vsphereDrivers, { name: 'cluster' })) ? 'the drivers are to go' : undefined,
  install: async (life) => {
    if (await life.story.drivers()) return undefined;
    await describeSpec(life);
    return 'the drivers are wished again';
  },
  'kill an operator': (life, [die]) => {
    startOperator(life, die < 0.5 ? 0 : 1);
    return `operator ${die < 0.5 ? 1 : 2} dies and starts anew`;
  },
  'cut an operator off': ({ story, operators, heals }, [die, long]) => {
    const victim = pick(operators, die);
    const heal = victim.onKube(outage());
    heals.push(heal);
    story.clock.schedule(heal, 3_000 + long * 60_000);
    return `${victim.identity} cannot reach the API server`;
  },
  'no Lease': ({ story, operators, heals }, [die, long]) => {
    const victim = pick(operators, die);
    const heal = victim.onKube(outage(/leases/));
    heals.push(heal);
    story.clock.schedule(heal, 3_000 + long * 60_000);
    return `${victim.identity} cannot renew its Lease`;
  },
  'lost replies': ({ operators, heals }, [die, many]) => {
    const victim = pick(operators, die);
    heals.push(victim.onKube(loseReply(/^(PATCH|POST|DELETE) /, 1 + Math.floor(many * 4))));
    return `${victim.identity} does not hear what becomes of its next writes`;
  },
  'late watches': ({ story, operators, heals }, [die, long]) => {
    const victim = pick(operators, die);
    const heal = victim.hangWatches();
    heals.push(heal);
    story.clock.schedule(heal, long * 120_000);
    return `the watches of ${victim.identity} hang`;
  },
  'vCenter away': ({ story, heals }, [long]) => {
    story.network.up = false;
    const heal = () => {
      story.network.up = true;
    };
    heals.push(heal);
    story.clock.schedule(heal, long * 180_000);
    return 'vCenter is away';
  },
  'set a clock': ({ story, operators }, [die, far]) => {
    const victim = pick(operators, die);
    story.setAhead(victim.identity, (far - 0.3) * 2_400_000);
    return `the clock of ${victim.identity} is set`;
  },
  'lose a note': async ({ story }, [die]) => {
    const name = pick(notes, die);
    return (await story.kube.delete(configMaps, { namespace, name })) ? `${name} is lost` : undefined;
  },
  'spoil a note': async ({ story }, [die]) => {
    const name = pick(notes, die);
    const key = name === 'vdo-inventory' ? 'objects' : 'state';
    if (!(await story.kube.find(configMaps, { namespace, name }))) return undefined;
    const body = { data: { [key]: '{"spoilt":' } };
    await story.kube.patch(configMaps, { namespace, name }, { type: 'merge', body });
    return `${name} is spoilt`;
  },
  'a node falls silent or comes back': async ({ story, heals }, [die, up]) => {
    const name = pick(['node-1', 'node-2'], die);
    const say = (status: string) => {
      const body = { status: { conditions: [{ type: 'Ready', status }] } };
      return story.kube.patch(nodes, { name }, { type: 'merge', body }, { subresource: 'status' });
    };
    await say(up < 0.5 ? 'Unknown' : 'True');
    heals.push(() => say('True'));
    return `${name} is ${up < 0.5 ? 'silent' : 'ready'}`;
  },
};
