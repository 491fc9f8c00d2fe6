/** On which objects of a vCenter a role is needed. */
export type PrivilegeScope = 'root' | 'node-vms' | 'datastores' | 'file-service-clusters' | 'ancestors';

/** A vSphere role with no more than is needed. */
export interface RequiredRole {
  /** As vSphere's documentation of the storage driver calls it. */
  readonly name: string;
  readonly privileges: readonly string[];
  readonly scope: PrivilegeScope;
  /** Which objects these are, for people. */
  readonly on: string;
  /** Whether the permission has to reach what is below the object it is given on. */
  readonly propagate: boolean;
  /** The check that looks after it. */
  readonly check: `privileges/${string}`;
}
