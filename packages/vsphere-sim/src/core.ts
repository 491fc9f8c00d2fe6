import type { Clock } from '@vdo/base/clock';
import type { Random } from '@vdo/base/random';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Permissions } from './access/permissions.ts';
import type { Roles } from './access/roles.ts';
import type { Accounts } from './accounts.ts';
import type { FaultRules } from './fault-rules.ts';
import type { Containers } from './inventory/containers.ts';
import type { Guest } from './inventory/guest-tree.ts';
import type { ObjectIds } from './inventory/object-ids.ts';
import type { Search } from './inventory/search.ts';
import type { Policies } from './pbm/policies.ts';
import type { Recorder } from './recorder.ts';
import type { Sessions } from './sessions.ts';
import type { About } from './soap/service-content.ts';
import type { ObjectStore } from './state/object-store.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { Profile } from './version/profile.ts';

export interface Limits {
  /** Objects in one reply of RetrievePropertiesEx; 1000 by default. */
  readonly retrieveObjects: number;
  /** Objects in one reply of WaitForUpdatesEx; 100 by default, as in a real vCenter. */
  readonly updateObjects: number;
}

/** Shared by all parts of one simulated vCenter. */
export interface Core {
  readonly clock: Clock;
  /** How far the time that the vCenter reports is ahead of the clock. */
  readonly time: { skewMs: number };
  readonly random: Random;
  readonly ids: ObjectIds;
  readonly store: ObjectStore;
  readonly containers: Containers;
  readonly search: Search;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly roles: Roles;
  readonly permissions: Permissions;
  readonly policies: Policies;
  readonly tasks: Tasks;
  readonly faults: FaultRules;
  readonly recorder: Recorder;
  readonly rootFolder: MoRef;
  readonly about: About;
  /** The simulated release. */
  readonly profile: Profile;
  /** By the VM's MoRef value. */
  readonly guests: Map<string, Guest>;
  readonly limits: Limits;
}
