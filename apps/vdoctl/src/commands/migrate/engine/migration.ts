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

/** A volume that gets another driver. */
export interface ListedVolume {
  readonly name: string;
  readonly path: string;
  readonly claim: string | null;
  /** Kubernetes routes it to the storage driver. */
  readonly migrated: boolean;
}

/** What is migrated, as found. The result is the same from every machine while nothing changes. */
export interface Source {
  readonly spec: VSphereDriversSpecInput;
  readonly accounts: readonly WantedAccount[];
  /** Objects to back up, in addition to those that the operator may write. */
  readonly extra: readonly ObjectRef[];
  /** What would break or be lost, and what to do about it. */
  readonly blockers: readonly string[];
  readonly failed: readonly CheckOutcome[];
  readonly notes: readonly string[];
  readonly warnings: readonly Problem[];
  readonly volumes: readonly ListedVolume[];
  /** Steps of this source, before and after the steps that all migrations have. */
  readonly first: (scene: Scene, facts: ClusterFacts, before: Before | undefined) => readonly Phase[];
  readonly last: (scene: Scene, facts: ClusterFacts, before: Before | undefined) => readonly Phase[];
  /** Additional data of this migration for the record. */
  readonly before: Pick<Before, 'helm' | 'kubeadm' | 'programs'>;
}

export interface Migration {
  readonly kind: MigrationKind;
  /** Where the resource comes from, such as `the VDOConfig`. */
  readonly source: string;
  /** Reads what is migrated. With a record, the migration has started, or its previous objects still exist. */
  readonly read: (scene: Scene, record: MigrationRecord | undefined) => Promise<Source>;
  /** Describes what cannot be undone. */
  readonly pointOfNoReturn: string;
  /** Passes the point of no return. Can be repeated. */
  readonly finish: (scene: Scene, record: MigrationRecord) => Promise<void>;
}

/** The state of a migration at one moment. */
export interface Station {
  readonly facts: ClusterFacts;
  readonly source: Source;
  readonly record?: MigrationRecord;
  readonly back?: BackFacts;
}
