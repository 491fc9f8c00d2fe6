import { VdoError } from '@vdo/base/vdo-error';
import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import { connectKube } from '@vdo/kube/connect-kube';
import type { CliContext } from '../../cli/context.ts';
import type { ClusterFlags } from '../../cli/options.ts';
import { createPatience } from '../../output/patience.ts';
import { nearestNamespace } from './list-namespace.ts';
import { findSandbox, namedSandbox, type SandboxRecord, sandboxName } from './sandbox-record.ts';

export interface Cluster {
  readonly kube: KubeClient;
  /** `https://host:port`, for messages. */
  readonly server: string;
  readonly namespace: string;
  /** The running sandbox, if the cluster is one. */
  readonly sandbox?: SandboxRecord;
}

const namedByUser = (flags: ClusterFlags, { env }: CliContext): boolean =>
  flags.kubeconfig !== undefined || flags.context !== undefined || (env['KUBECONFIG'] ?? '') !== '';

/** Terminals on which the cluster was already named. */
const reported = new WeakSet<object>();

/** Finds the kubeconfig. A sandbox that is found automatically is named, so that nobody mistakes it for a real cluster. */
const chooseKubeconfig = async (
  flags: ClusterFlags,
  context: CliContext,
): Promise<Pick<ClusterFlags, 'kubeconfig' | 'context'>> => {
  const named = await namedSandbox(context.env);
  if (!named && namedByUser(flags, context)) return flags;
  const sandbox = named ?? (await findSandbox(context.env));
  if (sandbox && !reported.has(context.terminal)) {
    reported.add(context.terminal);
    context.terminal.err(
      named
        ? `Cluster: the sandbox ${sandboxName(context.env)}.\n`
        : 'Cluster: the running sandbox (for another cluster, set --kubeconfig or KUBECONFIG).\n',
    );
  }
  return sandbox ?? {};
};

/** A mistyped namespace would look like a cluster without drivers. Without permission to read namespaces, assume that it exists. */
const requireNamespace = async (kube: KubeClient, name: string, signal: AbortSignal): Promise<void> => {
  if (name === names.namespace || (await nearestNamespace(kube, name, signal)) === 'exists') return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `namespace ${name} does not exist; the operator and the drivers are in ${names.namespace}`,
    remedy: 'Remove the flag --namespace.',
  });
};

/** Connects to the cluster of the flags, passes it to `work`, and closes the connection afterwards. */
export const withCluster = async <T>(
  context: CliContext,
  flags: ClusterFlags,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> => {
  const chosen = await chooseKubeconfig(flags, context);
  const running = await findSandbox(context.env);
  const sandbox =
    running && (chosen.kubeconfig ?? context.env['KUBECONFIG']) === running.kubeconfig ? running : undefined;
  const patience = createPatience(context);
  const kube = await connectKube({
    ...(chosen.kubeconfig === undefined ? {} : { kubeconfigPath: chosen.kubeconfig }),
    ...(chosen.context === undefined ? {} : { context: chosen.context }),
    env: context.env,
    clock: context.clock,
    userAgent: `vdoctl/${context.version}`,
    fieldManager: 'vdoctl',
    onRequest: patience.onRequest,
  });
  patience.waitsFor(kube.server);
  try {
    await requireNamespace(kube, flags.namespace, context.signal);
    return await work({ kube, server: kube.server, namespace: flags.namespace, ...(sandbox ? { sandbox } : {}) });
  } finally {
    patience.end();
    await kube.close();
  }
};
