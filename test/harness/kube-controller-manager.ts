import { controllerManagerArgs } from '@vdo/sandbox/control-plane/program-args';
import type { Authority } from './certificates.ts';
import { partPath } from './parts.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';

export type ControllerManagerPart = 'kube-controller-manager' | 'kube-controller-manager-in-tree';

/** Starts kube-controller-manager with just these controllers. */
export function startControllerManager(options: {
  readonly kubeconfigPath: string;
  readonly authority: Authority;
  readonly serviceAccountKeyPath: string;
  readonly controllers: readonly string[];
  /** Default: kube-controller-manager. */
  readonly part?: ControllerManagerPart;
  readonly extraArgs?: readonly string[];
}): LoggedProcess {
  const { part = 'kube-controller-manager', extraArgs = [] } = options;
  const args = controllerManagerArgs({ ...options, rootCaPath: options.authority.certPath });
  return spawnLogged(partPath(part), [...args, ...extraArgs], { name: part });
}
