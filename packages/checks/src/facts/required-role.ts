/** On which objects of a vCenter a role is needed. */
export type PrivilegeScope = 'root' | 'node-vms' | 'datastores' | 'file-service-clusters' | 'ancestors';

/** A vSphere role with only the privileges that are needed. */
export interface RequiredRole {
  /** The name in vSphere's documentation of the storage driver. */
  readonly name: string;
  readonly privileges: readonly string[];
  readonly scope: PrivilegeScope;
  /** A description of these objects for users. */
  readonly on: string;
  /** Whether the permission must propagate to child objects. */
  readonly propagate: boolean;
  /** The check that covers it. */
  readonly check: `privileges/${string}`;
}
