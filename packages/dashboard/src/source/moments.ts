import { type HealthWord, healthOf } from '@vdo/config/api/health';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { FailingCheck } from '@vdo/config/api/vsphere-drivers-status';
import type { Change } from '@vdo/kube/informer';
import type { Node } from '@vdo/kube/types/core';
import type { MomentRow } from '../rows/time-rows.ts';
import type { NodePlace } from './places-note.ts';
import type { EndedOperation } from './watch-operations.ts';

/** A moment without its time. */
export type Happening = Omit<MomentRow, 'key' | 'atMs'>;

const verbs = {
  create: ['A volume was created', 'A volume cannot be created'],
  attach: ['A disk was attached', 'A disk cannot be attached'],
  mount: ['A volume was mounted', 'A volume cannot be mounted'],
  detach: ['A disk was detached', 'A disk cannot be detached'],
  expand: ['A volume was expanded', 'A volume cannot be expanded'],
  delete: ['A volume was deleted', 'A volume cannot be deleted'],
  snapshot: ['A snapshot was taken', 'A snapshot cannot be taken'],
} as const;

const inVCenter = ({ task, sinceMs }: EndedOperation, ms: number): string => {
  if (!task) return '';
  const seconds = Math.round((sinceMs + ms - task.sinceMs) / 100) / 10;
  return `${task.name} took ${seconds} s of it in vCenter`;
};

/** An operation that came to an end after so many milliseconds. */
export const operationMoment = (operation: EndedOperation, ms: number): Happening => {
  const { what, object, error, result } = operation;
  return {
    kind: 'operation',
    health: error === undefined ? 'good' : 'bad',
    title: verbs[what][error === undefined ? 0 : 1],
    message: error ?? result ?? inVCenter(operation, ms),
    object,
    ms,
  };
};

const words: Readonly<Record<HealthWord, MomentRow['health']>> = {
  Healthy: 'good',
  Attention: 'warn',
  Progressing: 'good',
  Degraded: 'bad',
  Unavailable: 'bad',
  ActionRequired: 'bad',
  Removing: 'warn',
  Absent: 'warn',
};
const ranks = { good: 0, unknown: 0, warn: 1, bad: 2 } as const;

const wordChange = (before: VSphereDrivers, after: VSphereDrivers): readonly Happening[] => {
  const [then, now] = [healthOf(before), healthOf(after)];
  const [was, is] = [words[then.word], words[now.word]];
  if (then.word === now.word || was === is) return [];
  const kind = ranks[is] > ranks[was] ? 'fault' : 'over';
  return [{ kind, health: is, title: `${then.word} → ${now.word}`, message: now.reason }];
};

const checkKey = ({ id, object }: FailingCheck): string =>
  `${id} ${object?.kind ?? ''} ${object?.namespace ?? ''}/${object?.name ?? ''}`;

const failingOf = ({ status }: VSphereDrivers): ReadonlyMap<string, FailingCheck> =>
  new Map(
    (status?.checks?.failing ?? [])
      .filter(({ result }) => result !== 'Unknown')
      .map((check) => [checkKey(check), check] as const),
  );

const checkChanges = (before: VSphereDrivers, after: VSphereDrivers): readonly Happening[] => {
  const [then, now] = [failingOf(before), failingOf(after)];
  const about = ({ object }: FailingCheck) =>
    object
      ? {
          object: {
            kind: object.kind,
            name: object.name,
            ...(object.namespace ? { namespace: object.namespace } : {}),
          },
        }
      : {};
  const began = [...now]
    .filter(([key]) => !then.has(key))
    .map(
      ([, check]): Happening => ({
        kind: 'fault',
        health: check.result === 'Fail' ? 'bad' : 'warn',
        title: check.id,
        message: check.message,
        ...about(check),
      }),
    );
  const over = [...then]
    .filter(([key]) => !now.has(key))
    .map(
      ([, check]): Happening => ({
        kind: 'over',
        health: 'good',
        title: check.id,
        message: 'The check passes again.',
        ...about(check),
      }),
    );
  return [...began, ...over];
};

const releaseChanges = (before: VSphereDrivers, after: VSphereDrivers): readonly Happening[] => {
  const known = new Map((before.status?.drivers ?? []).map((driver) => [driver.kind, driver]));
  return (after.status?.drivers ?? []).flatMap(({ kind, version, target }): readonly Happening[] => {
    const was = known.get(kind);
    const release = { kind: 'release', health: 'good', message: '' } as const;
    const replaced =
      was?.version !== undefined && version !== undefined && was.version !== version
        ? [{ ...release, title: `${kind} ${was.version} → ${version}` }]
        : [];
    const begun =
      target !== undefined && was?.target !== target
        ? [{ ...release, title: `${kind}: roll-out of ${target} began` }]
        : [];
    return [...replaced, ...begun];
  });
};

const versionChanges = (before: VSphereDrivers, after: VSphereDrivers): readonly Happening[] => {
  const listOf = ({ status }: VSphereDrivers): readonly (readonly [string, string | undefined])[] => [
    ['Kubernetes', status?.versions?.kubernetes],
    ['Operator', status?.versions?.operator],
    ...(status?.versions?.vcenters ?? []).map(({ server, version }) => [`vCenter ${server}`, version] as const),
  ];
  const known = new Map(listOf(before));
  return listOf(after).flatMap(([what, version]) => {
    const was = known.get(what);
    return was !== undefined && version !== undefined && was !== version
      ? [{ kind: 'change', health: 'good', title: `${what} ${was} → ${version}`, message: '' } as const]
      : [];
  });
};

/** What changed with a new state of the resource. */
export const resourceMoments = ({ type, object, previous }: Change<VSphereDrivers>): readonly Happening[] => {
  const about = { kind: 'change', health: 'good', message: '' } as const;
  if (type === 'deleted') return [{ ...about, title: 'The VSphereDrivers resource was deleted' }];
  if (!previous) return [];
  const [was, is] = [previous.metadata?.generation, object.metadata?.generation];
  return [
    ...(was !== undefined && was !== is
      ? [{ ...about, title: 'The VSphereDrivers resource was edited', message: `generation ${is}` }]
      : []),
    ...releaseChanges(previous, object),
    ...versionChanges(previous, object),
    ...checkChanges(previous, object),
    ...wordChange(previous, object),
  ];
};

const isReady = ({ status }: Node): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

/** What changed with a node, once all nodes are known. */
export const nodeMoments = ({ type, object, previous }: Change<Node>): readonly Happening[] => {
  const { name = '' } = object.metadata;
  const about = { object: { kind: 'Node', name }, message: '' };
  if (type === 'deleted') return [{ kind: 'change', health: 'good', title: 'A node was deleted', ...about }];
  if (!previous) return [{ kind: 'change', health: 'good', title: 'A node joined', ...about }];
  if (isReady(previous) === isReady(object)) return [];
  return isReady(object)
    ? [{ kind: 'over', health: 'good', title: 'A node is Ready again', ...about }]
    : [{ kind: 'fault', health: 'bad', title: 'A node is not Ready', ...about }];
};

/** More moves are reported as a number. */
const shownMoves = 5;

const nodeOf = ({ node }: NodePlace) => ({ object: { kind: 'Node', name: node }, message: '' });

const vmMoves = (known: ReadonlyMap<string, NodePlace>, after: readonly NodePlace[]): readonly Happening[] => {
  const moves = after.flatMap((place): readonly Happening[] => {
    const from = known.get(place.node)?.host;
    if (from === undefined || place.host === undefined || from === place.host) return [];
    const message = `${from} → ${place.host}`;
    return [{ kind: 'change', health: 'good', title: 'A VM moved', ...nodeOf(place), message }];
  });
  return moves.length <= shownMoves
    ? moves
    : [{ kind: 'change', health: 'good', title: `${moves.length} VMs moved to other hosts`, message: '' }];
};

const vmPowers = (known: ReadonlyMap<string, NodePlace>, after: readonly NodePlace[]): readonly Happening[] =>
  after.flatMap((place): readonly Happening[] => {
    const was = known.get(place.node);
    if (!was || was.power === place.power) return [];
    return place.power === undefined
      ? [{ kind: 'over', health: 'good', title: 'A VM runs again', ...nodeOf(place) }]
      : [{ kind: 'fault', health: 'bad', title: `A VM is ${place.power}`, ...nodeOf(place) }];
  });

const hostStates = (places: readonly NodePlace[]): ReadonlyMap<string, NodePlace> =>
  new Map(places.flatMap((place) => (place.host === undefined ? [] : [[`${place.vcenter}/${place.host}`, place]])));

const hostMoments = (before: readonly NodePlace[], after: readonly NodePlace[]): readonly Happening[] => {
  const known = hostStates(before);
  return [...hostStates(after)].flatMap(([key, { host = '', hostNote, isHostDown }]): readonly Happening[] => {
    const was = known.get(key);
    if (!was || was.hostNote === hostNote) return [];
    const about = { object: { kind: 'Host', name: host }, message: '' };
    if (hostNote === undefined) return [{ kind: 'over', health: 'good', title: 'A host is back', ...about }];
    return isHostDown
      ? [{ kind: 'fault', health: 'bad', title: `A host ${hostNote}`, ...about }]
      : [{ kind: 'fault', health: 'warn', title: `A host is ${hostNote}`, ...about }];
  });
};

/** Which VMs went to another host or were switched off, and which hosts went down. */
export const placeMoments = (before: readonly NodePlace[], after: readonly NodePlace[]): readonly Happening[] => {
  const known = new Map(before.map((place) => [place.node, place]));
  return [...vmMoves(known, after), ...vmPowers(known, after), ...hostMoments(before, after)];
};
