import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import { nearest } from '@vdo/config/nearest';
import type { KubeClient } from '@vdo/kube/client';
import {
  events,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '@vdo/kube/types/core';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { findProgramPods } from '../../../shared/cluster/program-pods.ts';
import type { LogLine, StoryFacts } from './story.ts';

export interface StoryQuestion {
  /** A claim as NAMESPACE/NAME or NAME, a PersistentVolume, or the id of a volume. */
  readonly wanted: string;
  readonly namespace: string | undefined;
  readonly operatorNamespace: string;
  /** How far the logs are read back. */
  readonly sinceSeconds: number;
}

interface Subject {
  readonly claim: PersistentVolumeClaim | undefined;
  readonly volume: PersistentVolume | undefined;
  readonly traceId: string;
}

interface ClaimVolume {
  readonly persistentVolumeClaim?: { readonly claimName?: string };
}

const uidIn = /(?:^|pvc-|vdo-)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const withoutKind = (name: string): string =>
  name.replace(/^(persistentvolumes?|pv|persistentvolumeclaims?|pvc|volume)\//, '');

const findSubject = async (
  kube: KubeClient,
  { wanted: given, namespace }: StoryQuestion,
  signal: AbortSignal,
): Promise<Subject> => {
  const wanted = withoutKind(given);
  const [claims, volumes] = await Promise.all([
    kube.list(persistentVolumeClaims, { signal, ...(namespace === undefined ? {} : { namespace }) }),
    kube.list(persistentVolumes, { signal }),
  ]);
  const pathOf = ({ metadata }: PersistentVolumeClaim) => `${metadata.namespace}/${metadata.name}`;
  const named = claims.items.filter((claim) => [pathOf(claim), claim.metadata.name].includes(wanted));
  if (named.length > 1)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${named.length} claims are called ${wanted}: ${named.map(pathOf).join(', ')}`,
      remedy: `Name the namespace, too: vdoctl volumes trace ${pathOf(named[0] as PersistentVolumeClaim)}`,
    });
  const uid = uidIn.exec(wanted)?.[1];
  const claimUid = named[0]?.metadata.uid ?? uid;
  const volume = volumes.items.find(
    ({ metadata, spec }) =>
      (claimUid !== undefined && spec.claimRef?.uid === claimUid) ||
      (!named[0] && [metadata.name, spec.csi?.volumeHandle].includes(wanted)),
  );
  const claim = named[0] ?? claims.items.find(({ metadata }) => metadata.uid === (volume?.spec.claimRef?.uid ?? uid));
  const traceId = claim?.metadata.uid ?? volume?.spec.claimRef?.uid ?? uid ?? volume?.metadata.uid;
  if (traceId !== undefined) return { claim, volume, traceId };
  const known = [...claims.items.flatMap((one) => [pathOf(one), one.metadata.name ?? '']), 'trace'];
  const similar = nearest(wanted, [...known, ...volumes.items.map(({ metadata }) => metadata.name ?? '')]);
  throw new VdoError({
    code: 'KubeNotFound',
    message: `no claim, PersistentVolume or volume is called ${wanted}${namespace === undefined ? '' : ` in namespace ${namespace}`}`,
    remedy: `${similar === undefined ? '' : `Did you mean ${similar}? `}Run vdoctl volumes for all volumes. For a deleted claim, give its UID or the name of its PersistentVolume.`,
  });
};

/** The events about the claim, its volume and attachments, and about the pods that use it. */
const readEvents = async (kube: KubeClient, subject: Subject, attached: readonly string[], signal: AbortSignal) => {
  const { claim, volume } = subject;
  const { name: claimName, namespace } = claim?.metadata ?? {};
  const users =
    namespace === undefined
      ? []
      : (await kube.list(pods, { namespace, signal })).items.filter(({ spec }) =>
          spec.volumes?.some((one) => (one as ClaimVolume).persistentVolumeClaim?.claimName === claimName),
        );
  const uids = new Set(
    [subject.traceId, volume?.metadata.uid, ...users.map(({ metadata }) => metadata.uid)].filter(
      (uid) => uid !== undefined,
    ),
  );
  const { items } = await kube.list(events, { signal });
  const ofUsers = new Set(users.map(({ metadata }) => metadata.uid));
  const isAboutVolumes = /volume|attach|mount/i;
  return items.filter(({ involvedObject: { uid = '', name = '' }, reason, message }) =>
    ofUsers.has(uid) ? isAboutVolumes.test(`${reason} ${message}`) : uids.has(uid) || attached.includes(name),
  );
};

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const part of text) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** What is known, and which logs could not be read. */
export const gatherStory = async (
  kube: KubeClient,
  question: StoryQuestion,
  signal: AbortSignal,
): Promise<StoryFacts & { readonly unread: readonly string[] }> => {
  const subject = await findSubject(kube, question, signal);
  const name = subject.volume?.metadata.name ?? `pvc-${subject.traceId}`;
  const attachments = (await kube.list(volumeAttachments, { signal })).items.filter(
    ({ spec }) => spec.source.persistentVolumeName === name,
  );
  const attached = attachments.map(({ metadata }) => metadata.name ?? '');
  const programs = ['csi-controller', 'csi-node'] as const;
  const targets = await findProgramPods(kube, { namespace: question.operatorNamespace, programs }, signal);
  // Most of the lines are about other volumes and are not kept.
  const ids = [subject.traceId, subject.volume?.spec.csi?.volumeHandle ?? name];
  const lines: LogLine[] = [];
  const unread: string[] = [];
  for (const { metadata, spec } of targets)
    for (const { name: container } of spec.containers) {
      const { namespace = '', name: pod = '' } = metadata;
      try {
        const text = kube.readLog({ namespace, name: pod }, { container, sinceSeconds: question.sinceSeconds, signal });
        for await (const line of linesOf(text)) if (ids.some((id) => line.includes(id))) lines.push({ pod, line });
      } catch (error) {
        if (signal.aborted || isVdoError(error, 'Cancelled')) throw error;
        unread.push(`The log of ${namespace}/${pod} cannot be read: ${toVdoError(error).message}`);
      }
    }
  return { ...subject, attachments, events: await readEvents(kube, subject, attached, signal), lines, unread };
};
