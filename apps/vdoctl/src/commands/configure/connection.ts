import { readFile } from 'node:fs/promises';
import { presentedCertificate } from '@vdo/base/http-client';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import type { CliContext } from '../../cli/context.ts';
import { findSandbox } from '../../cluster/sandbox-record.ts';
import type { Asker } from './asker.ts';
import type { ConfigureFlags } from './command.ts';
import type { SpecDraft } from './draft.ts';
import type { Connection } from './wizard.ts';

/** Whether the authorities that this machine trusts vouch for the server. */
export const isTrusted = async (context: CliContext, server: string, port: number): Promise<boolean> => {
  const { clock, random, signal } = context;
  const vcenter = createVCenter({
    server,
    port,
    credentials: async () => {
      throw new Error('nobody logs in here');
    },
    clock,
    random,
    logger: silentLogger,
    metrics: createMetrics(),
  });
  try {
    await vcenter.about({ signal });
    return true;
  } catch (error) {
    if (isVdoError(error, 'VCenterTlsUntrusted')) return false;
    throw error;
  } finally {
    await vcenter.close().catch(() => undefined);
  }
};

export const confirmCertificate = async (
  { terminal }: CliContext,
  asker: Pick<Asker, 'yes'>,
  { server, port }: { readonly server: string; readonly port: number },
): Promise<string | undefined> => {
  const shown = await presentedCertificate(server, port);
  if (!shown) return undefined;
  terminal.err(
    `\nNo authority that this machine trusts vouches for ${server}. It shows this certificate:\n  subject     ${shown.subject}\n  valid to    ${shown.validTo}\n  SHA-256     ${shown.sha256}\n`,
  );
  if (await asker.yes('Compare it with what the vCenter shows. Is it the right one?')) return shown.sha256;
  throw new VdoError({
    code: 'VCenterTlsUntrusted',
    message: `the certificate of ${server} was not accepted`,
    remedy: 'Name the authority that signed it with --ca-file, or its fingerprint with --thumbprint.',
  });
};

/** Where the vCenter is and how it is trusted: by the flags, and else by asking. */
export const findConnection = async (
  context: CliContext,
  flags: ConfigureFlags,
  options: { readonly asker: Asker | undefined; readonly before: SpecDraft['vcenters'] },
): Promise<Connection> => {
  const { asker } = options;
  const [first] = options.before ?? [];
  const sandbox = flags.server === undefined && !first ? await findSandbox(context.env) : undefined;
  const url = sandbox?.vcenter && new URL(sandbox.vcenter.url);
  const known = flags.server ?? first?.server ?? url?.hostname;
  const server = known ?? (await asker?.text('vCenter (host name or address)'));
  if (server === undefined) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: 'no vCenter is named, and nobody can be asked',
      remedy: 'Name it with --server or the variable VDO_VCENTER_SERVER.',
    });
  }
  const old = options.before?.find((one) => one.server.toLowerCase() === server.toLowerCase());
  const port = old?.port ?? (url && known === url.hostname ? Number(url.port) : flags.port);
  const { insecure, thumbprint, caFile } = flags;
  if (insecure) return { server, port, insecure };
  if (thumbprint !== undefined) return { server, port, insecure, thumbprint };
  if (caFile !== undefined) return { server, port, insecure, caBundle: await readFile(caFile, 'utf8') };
  // What the configuration says about trust stays as it is.
  if (old?.tls) return { server, port, insecure };
  if (!asker || (await isTrusted(context, server, port))) return { server, port, insecure };
  const confirmed = await confirmCertificate(context, asker, { server, port });
  return { server, port, insecure, ...(confirmed === undefined ? {} : { thumbprint: confirmed }) };
};
