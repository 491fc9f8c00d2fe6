import { isVdoError, toVdoError } from '@vdo/base/vdo-error';
import { vsphereDrivers, vsphereDriversName } from '@vdo/config/api/vsphere-drivers';
import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { embeddedSource, type KeptMatrix } from '@vdo/releases/load-matrix';
import { type Matrix, parseMatrix } from '@vdo/releases/matrix';

/** A matrix and its source. */
export interface ChosenMatrix {
  readonly matrix: Matrix;
  /** For messages: a URL, `ConfigMap name`, a path, `built into vdoctl`. */
  readonly source: string;
  /** Who uses it. */
  readonly usedBy: 'operator' | 'vdoctl' | 'file';
  /** Why it is not the matrix of the operator; empty if it is, or if there is no operator. */
  readonly note: string;
}

type Reported = NonNullable<NonNullable<VSphereDriversStatus['versions']>['matrix']>;

const builtIn = (note = ''): ChosenMatrix => ({
  matrix: loadEmbeddedMatrix(),
  source: 'built into vdoctl',
  usedBy: 'vdoctl',
  note,
});

export const builtInMatrix = (): ChosenMatrix => builtIn();

/** The matrix stored by the operator, if it is valid. */
const soundMatrix = ({ lastGood }: KeptMatrix): Pick<ChosenMatrix, 'matrix' | 'source'> | undefined => {
  if (!lastGood) return undefined;
  const { matrix, source } = lastGood;
  return { matrix: parseMatrix(JSON.stringify(matrix), source), source };
};

/** The matrix of the operator, as reported and stored; otherwise that of vdoctl, and why. Pure. */
export const chooseMatrix = (kept: KeptMatrix, reported: Reported | undefined): ChosenMatrix => {
  const own = loadEmbeddedMatrix();
  if (reported?.source === embeddedSource) {
    if (reported.serial === own.serial) return { ...builtIn(), source: embeddedSource, usedBy: 'operator' };
    return builtIn(
      `the operator uses matrix ${reported.serial} of its own image, which this vdoctl does not contain: use vdoctl of the same release`,
    );
  }
  const stored = soundMatrix(kept);
  const isCurrent = !reported || (stored?.source === reported.source && stored.matrix.serial === reported.serial);
  if (stored && isCurrent) return { ...stored, usedBy: 'operator', note: '' };
  if (!reported) return builtIn();
  return builtIn(`the operator uses matrix ${reported.serial} from ${reported.source}, but did not store it`);
};

/** The matrix that the operator of a cluster uses; that of vdoctl if there is no operator or it cannot be read. */
export const readMatrixInUse = async (
  kube: KubeClient,
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<ChosenMatrix> => {
  const state = { client: kube, namespace, name: names.keptMatrix, key: 'state' };
  const reported = async (): Promise<Reported | undefined> => {
    const found = await kube.find(vsphereDrivers, { name: vsphereDriversName }, { signal }).catch((error: unknown) => {
      if (isVdoError(error, 'KubeResourceMissing')) return undefined;
      throw error;
    });
    return found?.status?.versions?.matrix;
  };
  try {
    const [kept, inUse] = await Promise.all([createConfigMapState<KeptMatrix>(state, {}).load(), reported()]);
    return chooseMatrix(kept, inUse);
  } catch (error) {
    signal.throwIfAborted();
    const { message } = toVdoError(error);
    return builtIn(`cannot read the matrix stored by the operator: ${message}`);
  }
};

/** `Matrix 12 from ConfigMap matrix, in use by the operator.` */
export const matrixLine = ({ matrix, source, usedBy, note }: ChosenMatrix): string => {
  const from = source === 'built into vdoctl' ? source : `from ${source}`;
  return `Matrix ${matrix.serial} ${from}${usedBy === 'operator' ? ', in use by the operator' : ''}${note === '' ? '' : `; ${note}`}.`;
};

/** The same for JSON and YAML. */
export const matrixData = ({ matrix, source, usedBy, note }: ChosenMatrix) => ({
  serial: matrix.serial,
  source,
  usedBy,
  ...(note === '' ? {} : { note }),
});
