import { createHash } from 'node:crypto';
import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import { isVdoError, toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { DocumentSource } from '@vdo/config/api/field-types';
import type { Applier } from '@vdo/kube/apply/create-applier';
import { verifyMatrix } from '@vdo/releases/matrix-signature';
import { parseManifest } from '@vdo/releases/parse-manifest';
import { type Document, type DocumentReaders, readDocument, sourceName } from '@vdo/releases/read-document';
import type { Observation } from '../observation.ts';

export type CniSource = DocumentSource & { readonly digest?: string | undefined };

/** Keeps a pod network at the manifest in the spec. It never delays the drivers. */
export interface CniKeeper {
  /** Applies, upgrades and prunes, or removes the applied objects if the spec names none. Returns what went wrong. */
  keep(
    source: CniSource | undefined,
    call: { readonly signal: AbortSignal; readonly trustedKeys: readonly string[] },
  ): Promise<Partial<Observation>>;
}

export interface CniKeeperOptions {
  readonly applier: Applier;
  readonly readers: DocumentReaders;
  /** Whether a source is unchanged since it was read. */
  readonly isCurrent: (source: DocumentSource) => boolean;
  readonly clock: Clock;
  readonly random: Random;
}

const rereadMs = 6 * 3_600_000;
/** How often the objects are checked for changes: they are not watched, because their kinds are not known in advance. */
const reapplyMs = 5 * 60_000;

const roleMissing = (error: VdoError): VdoError =>
  new VdoError({
    code: 'CniRoleMissing',
    message: `the operator has no permission to write the objects of spec.cni.manifest: ${error.message}`,
    remedy:
      'The permission is shipped separately. To grant it: kubectl apply -f deploy/cni-role.yaml. Or remove spec.cni.manifest.',
    cause: error,
  });

const untrusted = (source: CniSource, why: string, remedy: string): VdoError =>
  new VdoError({
    code: 'CniManifestInvalid',
    message: `the CNI manifest from ${sourceName(source)} is not used: ${why}`,
    remedy: `${remedy} The installed pod network stays unchanged.`,
  });

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Whoever can change the document at an address controls what runs on every node: it needs a digest or a signature. */
const vouch = (source: CniSource, { text, signature }: Document, trustedKeys: readonly string[]): void => {
  const { digest, url } = source;
  if (digest !== undefined) {
    if (digestOf(text) === digest) return;
    const remedy = `Check what has changed there. If the change is intended, set spec.cni.manifest.digest to ${digestOf(text)}.`;
    throw untrusted(source, `its digest is ${digestOf(text)}, expected ${digest}`, remedy);
  }
  if (url === undefined) return;
  const remedy = `Set spec.cni.manifest.digest to the digest of the manifest you have reviewed (sha256sum), or store the manifest in a ConfigMap.`;
  if (signature === undefined)
    throw untrusted(source, 'spec.cni.manifest.digest is not set, and the manifest has no signature', remedy);
  try {
    verifyMatrix({ text, signature, trustedKeys, source: url, what: 'CNI manifest' });
  } catch (error) {
    if (!isVdoError(error, 'MatrixSignatureInvalid')) throw error;
    throw untrusted(source, error.message, remedy);
  }
};

export const createCniKeeper = ({ applier, readers, isCurrent, clock, random }: CniKeeperOptions): CniKeeper => {
  let read: { readonly identity: string; readonly text: string; readonly dueMs: number } | undefined;
  let applied: { readonly hash: string; readonly atMs: number } | undefined;

  const textOf = async (
    source: CniSource,
    { signal, trustedKeys }: { readonly signal: AbortSignal; readonly trustedKeys: readonly string[] },
  ): Promise<string> => {
    const identity = JSON.stringify([source, trustedKeys]);
    if (read?.identity === identity && clock.monotonicMs() < read.dueMs && isCurrent(source)) return read.text;
    const about = { field: 'spec.cni.manifest', what: 'CNI manifest' };
    if (source.url !== undefined && !source.url.startsWith('https://'))
      throw untrusted(
        source,
        'it is read without TLS, so that it can be changed on the network',
        'Use an address that begins with https://.',
      );
    // From here the document counts as read, even if it is not trusted.
    read = undefined;
    const document = await readDocument(source, { ...readers, ...about, signal });
    vouch(source, document, trustedKeys);
    const { text } = document;
    read = { identity, text, dueMs: clock.monotonicMs() + rereadMs * (0.9 + random.next() / 5) };
    return text;
  };

  const apply = async (
    source: CniSource,
    call: { readonly signal: AbortSignal; readonly trustedKeys: readonly string[] },
  ): Promise<void> => {
    const { signal } = call;
    const text = await textOf(source, call);
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
    keep: async (source, call) => {
      const { signal } = call;
      try {
        await (source ? apply(source, call) : remove(signal));
        return {};
      } catch (error) {
        signal.throwIfAborted();
        const failure = toVdoError(error);
        return { cniProblem: isVdoError(failure, 'KubeForbidden') ? roleMissing(failure) : failure };
      }
    },
  };
};
