import { partPath } from './parts.ts';
import { type LoggedProcess, spawnLogged } from './process.ts';

/** Starts kube-scheduler. */
export function startScheduler(kubeconfigPath: string): LoggedProcess {
  const access = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
  return spawnLogged(
    partPath('kube-scheduler'),
    [...access.map((flag) => `--${flag}=${kubeconfigPath}`), '--leader-elect=false', '--secure-port=0'],
    { name: 'kube-scheduler' },
  );
}
