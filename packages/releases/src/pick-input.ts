import type { Distribution, DriverKind, Matrix } from './matrix.ts';

/** What the choice of a release rests on. */
export interface PickInput {
  readonly matrix: Matrix;
  readonly driver: DriverKind;
  readonly distribution: Distribution;
  /** Version of the API server, with any vendor suffix. */
  readonly kubernetesVersion: string;
  /** All of them must be in the range of the release. */
  readonly vcenterVersions: readonly { readonly server: string; readonly version: string }[];
  /** Layouts that this operator can render. */
  readonly layouts: readonly string[];
  readonly policy: 'Automatic' | 'Manual' | 'Pinned';
  /** The release named in the spec. */
  readonly wanted?: string;
  /** The release that runs, read from the cluster. */
  readonly installed?: string;
  /** Whether nodes get their provider id from a cloud controller manager, ours or another. Default true. */
  readonly hasCpi?: boolean;
}
