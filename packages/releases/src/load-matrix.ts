import { toVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { DocumentSource } from '@vdo/config/api/field-types';
import { loadEmbeddedMatrix } from './embedded-matrix.ts';
import { acceptMatrix, type Matrix, parseMatrix } from './matrix.ts';
import { keyIdOf, verifyMatrix } from './matrix-signature.ts';
import { type DocumentReaders, readDocument, sourceName } from './read-document.ts';

/** The matrix in use, and its source. */
export interface LoadedMatrix {
  readonly matrix: Matrix;
  /** As shown to users: an address, `ConfigMap name`, a path, or the operator image. */
  readonly source: string;
  readonly serial: number;
  /** Why a source with higher precedence was not used. */
  readonly problem?: VdoError;
}

/** The last matrix that was read from a source, so that a restart during an outage does not return to an older one. */
export interface KeptMatrix {
  readonly lastGood?: Pick<LoadedMatrix, 'matrix' | 'source'>;
}

export interface LoadMatrixOptions extends DocumentReaders {
  readonly sources: {
    /** spec.updates.matrix. */
    readonly spec?: DocumentSource | undefined;
    /** Set when the operator was built. */
    readonly defaultUrl?: string | undefined;
  };
  /** Ed25519 public keys (PEM): those of the build and those in spec.updates.trustedKeys. */
  readonly trustedKeys: readonly string[];
  /** Those of the build: a matrix that is signed with one of them continues the serials of the matrix in the image. */
  readonly publisherKeys?: readonly string[];
  /** The one used so far, also before a restart. If a source fails, it stays in use. */
  readonly lastGood?: Pick<LoadedMatrix, 'matrix' | 'source'> | undefined;
  readonly signal: AbortSignal;
}

/** The source of the matrix in the operator image. */
export const embeddedSource = 'the operator image';

const use = async (source: DocumentSource, options: LoadMatrixOptions): Promise<LoadedMatrix> => {
  const { lastGood, trustedKeys } = options;
  const name = sourceName(source);
  const about = { field: 'spec.updates.matrix', what: 'compatibility matrix' };
  const { text, signature } = await readDocument(source, { ...options, ...about });
  const keyId = verifyMatrix({ text, signature, trustedKeys, source: name });
  const matrix = parseMatrix(text, name);
  // An old one that was signed long ago may list releases that were found bad since. The default address is only behind for a while.
  const isPublishers = (options.publisherKeys ?? []).some((key) => keyIdOf(key) === keyId);
  if (isPublishers && name !== options.sources.defaultUrl) acceptMatrix(loadEmbeddedMatrix(), matrix, name);
  // Serials are compared within one source: a user who sets another source in the spec wants to use it.
  if (lastGood?.source === name) acceptMatrix(lastGood.matrix, matrix, name);
  return { matrix, source: name, serial: matrix.serial };
};

/**
 * The compatibility matrix: from the source in the spec, else from the default address, else from the image. The problem of a source
 * is reported in `problem`; the last good matrix, or else the next source, is then used. Throws only if
 * cancelled.
 */
export const loadMatrix = async (options: LoadMatrixOptions): Promise<LoadedMatrix> => {
  const { sources, lastGood, signal } = options;
  const all = [
    ...(sources.spec ? [sources.spec] : []),
    ...(sources.defaultUrl === undefined ? [] : [{ url: sources.defaultUrl }]),
  ];
  // A matrix from a source that is no longer in the spec does not count.
  const kept = lastGood && all.some((source) => sourceName(source) === lastGood.source) ? lastGood : undefined;
  const own = loadEmbeddedMatrix();
  const embedded = { matrix: own, source: embeddedSource, serial: own.serial };
  // The image and the default address have the same publisher: after an upgrade of the operator, the matrix in the image may be newer.
  const newer = (loaded: LoadedMatrix): LoadedMatrix =>
    loaded.source === sources.defaultUrl && loaded.serial < embedded.serial ? embedded : loaded;
  let problem: VdoError | undefined;
  for (const source of all) {
    try {
      const loaded = newer(await use(source, options));
      return problem ? { ...loaded, problem } : loaded;
    } catch (error) {
      signal.throwIfAborted();
      problem ??= toVdoError(error);
    }
    if (kept) return { ...newer({ ...kept, serial: kept.matrix.serial }), problem };
  }
  return problem ? { ...embedded, problem } : embedded;
};
