import type { Pod } from '@vdo/kube/types/core';
import type { ContainerRunner } from '@vdo/sandbox/process-kubelet/container-runner';
import { type PartName, partPath } from '../harness/parts.ts';
import { spawnLogged } from '../harness/process.ts';
import { repositoryFile } from './operator-house.ts';

const goSidecars: readonly PartName[] = ['csi-provisioner', 'csi-resizer', 'csi-snapshotter'];

/**
 * Runs the pods of the upstream storage controller as far as their programs are to be had: the Go sidecars themselves, with the arguments
 * that were rendered for them, and for the Go driver, which cannot be built here, ours behind the same socket and with the same file.
 * Undefined for containers that neither stands in for.
 */
export const createUpstreamStandIn =
  (options: {
    readonly kubeconfig: string;
    /** Answers the readiness probe. */
    readonly pretend: ContainerRunner;
  }) =>
  ({
    container,
  }: {
    readonly pod: Pod;
    readonly container: { readonly name: string; readonly image: string };
  }): ContainerRunner | undefined => {
    const sidecar = goSidecars.find((name) => container.name === name);
    if (sidecar)
      return async ({ command }, { signal }) => {
        const own = command.args.filter((arg) => !arg.startsWith('--http-endpoint='));
        const process = spawnLogged(partPath(sidecar), [...own, `--kubeconfig=${options.kubeconfig}`], {
          name: sidecar,
          env: command.env,
        });
        signal.addEventListener('abort', () => void process.stop({ graceMs: 20_000 }), { once: true });
        const code = await process.exited;
        if (!signal.aborted) throw new Error(`${sidecar} ended with ${code}\n${process.tail(20)}`);
      };
    if (container.name !== 'vsphere-csi-controller') return undefined;
    return async (what, call) => {
      const { env } = what.command;
      const args = [
        repositoryFile('apps/csi/dist/main.js'),
        'controller',
        '--sidecars=external',
        `--csi-endpoint=unix://${env['VDO_MOUNT_SOCKET_DIR']}/csi.sock`,
        `--vsphere-conf=${env['VDO_MOUNT_VSPHERE_CONFIG_VOLUME']}/csi-vsphere.conf`,
        '--leader-election-namespace=vmware-system-csi',
        '--health-port=0',
        `--kubeconfig=${options.kubeconfig}`,
      ];
      const driver = spawnLogged(process.execPath, args, { name: 'stand-in', env: { ...env, NODE_OPTIONS: '' } });
      call.signal.addEventListener('abort', () => void driver.stop(), { once: true });
      await Promise.race([
        options.pretend(what, call),
        driver.exited.then((code) => {
          if (!call.signal.aborted) throw new Error(`the stand-in ended with ${code}\n${driver.tail(30)}`);
        }),
      ]);
      await driver.stop();
    };
  };
