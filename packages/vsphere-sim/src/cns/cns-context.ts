import type { Principal } from '../access/permissions.ts';
import type { Core } from '../core.ts';
import type { VolumeStore } from './volume-store.ts';

/** The context of a CNS operation, including its caller. */
export interface CnsContext {
  readonly core: Core;
  readonly volumes: VolumeStore;
  readonly principal: Principal;
}
