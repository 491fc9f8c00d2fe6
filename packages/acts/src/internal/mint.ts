import type { KubeObject } from '@vdo/kube/types/object';
import type { ObjectKey, Resource } from '@vdo/kube/types/resource';
import type { Absent, Answer, Current, Evidence, Fact, Found, Seen, Written } from '../evidence.ts';
import { evidenceMissing } from './refusals.ts';

/** When a request was sent. */
export interface Moment {
  readonly readMs: number;
  readonly order: number;
}

interface Origin {
  readonly order: number;
  /** Asks again. */
  readonly stillHolds: () => boolean;
}

/** All evidence that this package has created. A copy or a cast value is not in it. */
const genuine = new WeakMap<object, Origin>();

const minted = <E extends object>(evidence: E, { order }: Moment, stillHolds: () => boolean = () => true): E => {
  genuine.set(evidence, { order, stillHolds });
  return Object.freeze(evidence);
};

/** The order in which it was read. Throws unless this package has read it and it is still true. */
export const orderOf = (evidence: Evidence): number => {
  const origin = genuine.get(evidence);
  const what = evidence.facts?.map((fact) => fact.what).join(', ') || 'it';
  if (!origin) throw evidenceMissing(`the data about ${what} was not read in an attempt`);
  if (!origin.stillHolds()) throw evidenceMissing(`${what} changed after it was read`);
  return origin.order;
};

const nameOf = (resource: Resource, { namespace, name }: ObjectKey): string =>
  `${resource.plural} ${namespace ? `${namespace}/` : ''}${name}`;

const versionOf = ({ metadata }: KubeObject) => ({
  uid: metadata.uid ?? '',
  resourceVersion: metadata.resourceVersion ?? '',
});

interface Reading<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly key: ObjectKey;
  readonly at: Moment;
}

export const mintSeen = <T extends KubeObject>({ resource, key, at }: Reading<T>, object: T): Seen<T> => {
  const { readMs } = at;
  const facts = [{ what: nameOf(resource, key), ...versionOf(object), readMs }];
  const seen = { kind: 'seen', resource, key, readMs, ...versionOf(object), object, facts };
  return minted(seen as unknown as Seen<T>, at);
};

export const mintWritten = <T extends KubeObject>(reading: Reading<T>, object: T): Written<T> =>
  mintSeen(reading, object) as Written<T>;

export const mintAbsent = <T extends KubeObject>({ resource, key, at }: Reading<T>): Absent<T> => {
  const { readMs } = at;
  const facts = [{ what: `no ${nameOf(resource, key)}`, readMs }];
  return minted({ kind: 'absent', resource, key, readMs, facts } as unknown as Absent<T>, at);
};

export const mintAnswer = <T>(what: string, at: Moment, value: T): Answer<T> => {
  const { readMs } = at;
  return minted({ kind: 'answer', readMs, value, facts: [{ what, readMs }] } as unknown as Answer<T>, at);
};

interface Question<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly question: { readonly index: string; readonly value: string };
  readonly resourceVersion: string;
  readonly at: Moment;
}

export const mintFound = <T extends KubeObject>(about: Question<T>, ask: () => readonly T[]): Found<T> => {
  const { resource, question, resourceVersion, at } = about;
  const { readMs } = at;
  const objects = ask();
  const facts: readonly Fact[] = [
    { what: `${resource.plural} by ${question.index} ${question.value}`, resourceVersion, readMs },
    ...objects.map((object) => ({
      what: nameOf(resource, { name: object.metadata.name ?? '', namespace: object.metadata.namespace ?? '' }),
      ...versionOf(object),
      readMs,
    })),
  ];
  const identity = (found: readonly T[]) =>
    found
      .map(versionOf)
      .map((version) => `${version.uid} ${version.resourceVersion}`)
      .sort()
      .join();
  const seen = identity(objects);
  const found = { kind: 'found', resource, question, objects, readMs, facts } as unknown as Found<T>;
  return minted(found, at, () => identity(ask()) === seen);
};

export const mintCurrent = <T extends KubeObject>(current: Omit<Current<T>, symbol>, at: Moment): Current<T> =>
  minted(current as unknown as Current<T>, at);
