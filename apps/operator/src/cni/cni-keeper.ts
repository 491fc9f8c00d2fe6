import { createHash } from 'node:crypto';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { DocumentSource } from '@vdo/config/api/field-types';
import type { Applier } from '@vdo/kube/apply/create-applier';
import { parseManifest } from '@vdo/releases/parse-manifest';
import { type DocumentReaders, readDocument, sourceName } from '@vdo/releases/read-document';
import type { Observation } from '../observation.ts';

/** Keeps a pod network at the manifest that the spec names. It never holds the drivers up. */
export interface CniKeeper {
  /** Applies, upgrades, prunes; or removes what was applied once the spec names none. Tells what went wrong. */
  keep(source: DocumentSource | undefined, call: { readonly signal: AbortSignal }): Promise<Partial<Observation>>;
}

export interface CniKeeperOptions {
  readonly applier: Applier;
  readonly readers: DocumentReaders;
  /** Whether a source is still what was read of it. */
  readonly isCurrent: (source: DocumentSource) => boolean;
  readonly clock: Clock;
  readonly random: Random;
}

const rereadMs = 6 * 3_600_000;
/** Somebody may have changed the objects; they are not watched, because their kinds are not known before. */
const reapplyMs = 5 * 60_000;

const roleMissing = (error: VdoError): VdoError =>
  new VdoError({
    code: 'CniRoleMissing',
    message: `the operator may not write the objects of spec.cni.manifest: ${error.message}`,
    remedy:
      'That right is shipped apart: kubectl apply -f deploy/cni-role.yaml binds it to the operator. Or remove spec.cni.manifest.',
    cause: error,
  });

export const createCniKeeper = ({ applier, readers, isCurrent, clock, random }: CniKeeperOptions): CniKeeper => {
  let read: { readonly identity: string; readonly text: string; readonly dueMs: number } | undefined;
  let applied: { readonly hash: string; readonly atMs: number } | undefined;

  const textOf = async (source: DocumentSource, signal: AbortSignal): Promise<string> => {
    const identity = JSON.stringify(source);
    if (read?.identity === identity && clock.monotonicMs() < read.dueMs && isCurrent(source)) return read.text;
    const about = { field: 'spec.cni.manifest', what: 'CNI manifest' };
    const { text } = await readDocument(source, { ...readers, ...about, signal });
    read = { identity, text, dueMs: clock.monotonicMs() + rereadMs * (0.9 + random.next() / 5) };
    return text;
  };

  const apply = async (source: DocumentSource, signal: AbortSignal): Promise<void> => {
    const text = await textOf(source, signal);
    const hash = createHash('sha256').update(text).digest('hex');
    if (applied?.hash === hash && clock.monotonicMs() - applied.atMs < reapplyMs) return;
    await applier.apply(parseManifest(text, sourceName(source)), { signal });
    applied = { hash, atMs: clock.monotonicMs() };
  };

  const remove = async (signal: AbortSignal): Promise<void> => {
    if ((await applier.inventory({ signal })).length > 0) await applier.removeAll({ signal });
    applied = undefined;
  };

  return {
    keep: async (source, { signal }) => {
      try {
        await (source ? apply(source, signal) : remove(signal));
        return {};
      } catch (error) {
        signal.throwIfAborted();
        const failure = toVdoError(error);
        return { cniProblem: isVdoError(failure, 'KubeForbidden') ? roleMissing(failure) : failure };
      }
    },
  };
};
