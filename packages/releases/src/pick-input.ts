import type { Distribution, DriverKind, Matrix } from './matrix.ts';

/** The input for the selection of a release. */
export interface PickInput {
  readonly matrix: Matrix;
  readonly driver: DriverKind;
  readonly distribution: Distribution;
  /** Version of the API server, with any vendor suffix. */
  readonly kubernetesVersion: string;
  /** All of them must be in the supported range of the release. */
  readonly vcenterVersions: readonly { readonly server: string; readonly version: string }[];
  /** Layouts that this operator can render. */
  readonly layouts: readonly string[];
  readonly policy: 'Automatic' | 'Manual' | 'Pinned';
  /** The release that the spec names. */
  readonly wanted?: string;
  /** The release that runs, read from the cluster. */
  readonly installed?: string;
  /** Whether a cloud controller manager, ours or another, sets the provider IDs of nodes. Default true. */
  readonly hasCpi?: boolean;
}
