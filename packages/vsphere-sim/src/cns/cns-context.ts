import type { Principal } from '../access/permissions.ts';
import type { Core } from '../core.ts';
import type { VolumeStore } from './volume-store.ts';

/** What a CNS operation works with, and for whom. */
export interface CnsContext {
  readonly core: Core;
  readonly volumes: VolumeStore;
  readonly principal: Principal;
}
