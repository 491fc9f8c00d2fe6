import type { AdvancedSpec } from '@vdo/config/api/advanced-spec';
import type { ImagesSpec } from '@vdo/config/api/updates-spec';
import type { Release } from '../../matrix.ts';

/** Names of the ConfigMap and the Secret of a native driver. */
export interface DriverReads {
  readonly configMap: string;
  readonly secret: string;
  /** Used only by this driver. */
  readonly own: boolean;
}

/** What the manifests of a driver need in addition to its own part of the spec. */
export interface RenderContext {
  readonly release: Release;
  readonly namespace: string;
  readonly images: ImagesSpec;
  readonly advanced: AdvancedSpec;
  /** Node labels that describe where a node is; empty without topology. */
  readonly topologyLabels: readonly string[];
  /** Hash of the configuration. */
  readonly configHash: string;
  /** The configuration of a native driver: the shared one, or its own. */
  readonly reads: DriverReads;
  /** Replicas of each controller. */
  readonly replicas: number;
  /** Port of the API server behind its Service; absent: not known. */
  readonly apiServerPort?: number;
  readonly vcenterPorts: readonly number[];
  /** Accounts, pods and host folders follow the rules of OpenShift. */
  readonly openShift: boolean;
}
