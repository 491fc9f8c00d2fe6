import type { AdvancedSpec } from '@vdo/config/api/advanced-spec';
import type { ImagesSpec } from '@vdo/config/api/updates-spec';
import type { Release } from '../../matrix.ts';

/** What the manifests of a driver need beside its own part of the spec. */
export interface RenderContext {
  readonly release: Release;
  readonly namespace: string;
  readonly images: ImagesSpec;
  readonly advanced: AdvancedSpec;
  /** Node labels that tell where a node is; empty without topology. */
  readonly topologyLabels: readonly string[];
  /** Hash of the shared configuration. */
  readonly configHash: string;
  /** Pods of each controller. */
  readonly replicas: number;
  /** Accounts, pods and host folders follow the rules of OpenShift. */
  readonly openShift: boolean;
}
