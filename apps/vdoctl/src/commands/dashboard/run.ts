import { readOnlyLimits, serveHttp } from '@vdo/base/http-server';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { createPrivatePage } from '@vdo/dashboard/private-page';
import { createKubeSource } from '@vdo/dashboard/source/create-kube-source';
import { createInventoryReader } from '@vdo/dashboard/source/inventory-reader';
import { prometheusFiles } from '@vdo/dashboard/source/prometheus-access';
import { createPrometheusRates } from '@vdo/dashboard/source/prometheus-rates';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import type { DashboardFlags } from './command.ts';
import { createPodMeter } from './pod-meter.ts';

/** vdoctl dashboard */
export const dashboard: CommandRun<DashboardFlags> = (context, flags) =>
  withCluster(context, flags, async ({ kube, namespace, server: cluster }) => {
    const { clock, random, signal, env } = context;
    // Fail here with a remedy instead of serving an empty page.
    await kube.serverVersion({ signal });
    const { prometheus, prometheusTokenFile: tokenFile, prometheusCaFile: caFile } = flags;
    const access = prometheusFiles({
      ...(tokenFile === undefined ? {} : { tokenFile }),
      ...(caFile === undefined ? {} : { caFile }),
    });
    const rates =
      prometheus === undefined ? undefined : createPrometheusRates({ address: prometheus, env, clock, access });
    const source = createKubeSource({
      client: kube,
      cluster,
      namespace,
      clock,
      random,
      meter: createPodMeter(kube, namespace, clock),
      inventory: createInventoryReader({ kube, namespace, clock, everyMs: 60_000 }),
      ...(rates ? { rates } : {}),
    });
    const { handler, path } = createPrivatePage({ source, clock, random });
    const server = await serveHttp({ handler, port: flags.port, limits: readOnlyLimits }).catch((error: unknown) => {
      if (!isVdoError(error, 'ListenFailed')) throw error;
      const { code, message } = error;
      throw new VdoError({ code, message, remedy: 'Select a free port: vdoctl dashboard --port 0.', cause: error });
    });
    context.terminal.out(`${server.url}${path}\n`);
    context.terminal.err('Open this URL in a browser. Press Ctrl-C to stop.\n');
    try {
      await source.run(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await server.close();
      await rates?.close();
    }
    return exitCodes.done;
  });
