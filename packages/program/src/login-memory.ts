import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import { names } from '@vdo/config/names';
import { type ConfigMapStateOptions, createConfigMapState } from '@vdo/kube/config-map-state';
import { createLoginGuard, type LoginGuard, type LoginGuardState } from '@vdo/vsphere/session/login-guard';

export interface LoginMemoryOptions {
  readonly kube: ConfigMapStateOptions['client'];
  readonly namespace: string;
  /** The program's key in the ConfigMap, which all programs share. */
  readonly program: 'operator' | 'cpi' | 'csi';
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The login guard of a process, with the memory of earlier processes: a restart does not allow new attempts. */
export const createLoginMemory = ({ kube, namespace, program, clock, logger }: LoginMemoryOptions): LoginGuard => {
  const place = { client: kube, namespace, name: names.loginGuard, key: program };
  return createLoginGuard({ clock, logger, store: createConfigMapState<LoginGuardState>(place, {}) });
};
