import type { CheckOutcome } from '@vdo/checks/check';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import type { Problem } from '@vdo/config/problems';
import type { ObjectRef } from '@vdo/kube/apply/object-ref';
import type { WantedAccount } from './account-steps.ts';
import type { BackFacts } from './back-facts.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import type { Before, MigrationKind, MigrationRecord } from './record.ts';
import type { Scene } from './scene.ts';
import type { Phase } from './step.ts';

/** A volume that changes hands. */
export interface ListedVolume {
  readonly name: string;
  readonly path: string;
  readonly claim: string | null;
  /** Kubernetes gives it to the storage driver. */
  readonly migrated: boolean;
}

/** What is migrated, as it was found: the same from whichever workstation, while nothing of it has changed. */
export interface Source {
  readonly spec: VSphereDriversSpecInput;
  readonly accounts: readonly WantedAccount[];
  /** Objects to keep for the way back beside those that the operator may write. */
  readonly extra: readonly ObjectRef[];
  /** What would break, or stay behind, and what to do about it. */
  readonly blockers: readonly string[];
  readonly failed: readonly CheckOutcome[];
  readonly notes: readonly string[];
  readonly warnings: readonly Problem[];
  readonly volumes: readonly ListedVolume[];
  /** Steps made of what was found, before and after those that all migrations have in common. */
  readonly first: (scene: Scene, facts: ClusterFacts, before: Before | undefined) => readonly Phase[];
  readonly last: (scene: Scene, facts: ClusterFacts, before: Before | undefined) => readonly Phase[];
  /** What only this migration has to remember. */
  readonly before: Pick<Before, 'helm' | 'kubeadm' | 'programs'>;
}

export interface Migration {
  readonly kind: MigrationKind;
  /** Where the resource comes from, such as `the VDOConfig`. */
  readonly source: string;
  /** Reads what is migrated. With a record it is on its way, or its former objects are still there. */
  readonly read: (scene: Scene, record: MigrationRecord | undefined) => Promise<Source>;
  /** What cannot be undone, in words. */
  readonly pointOfNoReturn: string;
  /** Crosses the point of no return. May be repeated. */
  readonly finish: (scene: Scene, record: MigrationRecord) => Promise<void>;
}

/** What a journey stands on at one moment. */
export interface Station {
  readonly facts: ClusterFacts;
  readonly source: Source;
  readonly record?: MigrationRecord;
  readonly back?: BackFacts;
}
