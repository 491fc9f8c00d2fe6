import type { Container, Pod } from '@vdo/kube/types/core';
import type { ContainerCommand } from './container-command.ts';

/**
 * Runs one container until it ends or `signal` is aborted; rejects if it fails. A process runner
 * spawns a bundle; the sandbox runs the writers of its demo inside its own process.
 */
export type ContainerRunner = (
  what: {
    readonly pod: Pod;
    readonly container: Container;
    readonly command: ContainerCommand;
    readonly folder: string;
  },
  options: { readonly signal: AbortSignal },
) => Promise<void>;
