import { controllerManagerArgs } from '@vdo/sandbox/control-plane/program-args';
import type { Authority } from './certificates.ts';
import { partPath } from './parts.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';

/** Starts kube-controller-manager with just these controllers. */
export function startControllerManager(options: {
  readonly kubeconfigPath: string;
  readonly authority: Authority;
  readonly serviceAccountKeyPath: string;
  readonly controllers: readonly string[];
}): LoggedProcess {
  return spawnLogged(
    partPath('kube-controller-manager'),
    controllerManagerArgs({ ...options, rootCaPath: options.authority.certPath }),
    { name: 'kube-controller-manager' },
  );
}
