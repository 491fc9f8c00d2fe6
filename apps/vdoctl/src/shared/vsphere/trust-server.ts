import { presentedCertificate } from '@vdo/base/http-client';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import type { CliContext } from '../../cli/context.ts';

/** Whether the certificate of the server is signed by a CA that this machine trusts. */
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

/** Shows the certificate of the server to the user; its fingerprint if the user accepts it, undefined if there is none. */
export const confirmCertificate = async (
  { terminal }: CliContext,
  asker: { yes(question: string): Promise<boolean> },
  { server, port }: { readonly server: string; readonly port: number },
): Promise<string | undefined> => {
  const shown = await presentedCertificate(server, port);
  if (!shown) return undefined;
  terminal.err(
    `\nThe certificate of ${server} is not signed by a CA that this machine trusts:\n  subject     ${shown.subject}\n  valid to    ${shown.validTo}\n  SHA-256     ${shown.sha256}\n`,
  );
  if (await asker.yes('Compare it with the certificate shown by vCenter. Are they the same?')) return shown.sha256;
  throw new VdoError({
    code: 'VCenterTlsUntrusted',
    message: `the certificate of ${server} was not accepted`,
    remedy: 'Pass the CA certificate with --ca-file, or the fingerprint with --thumbprint.',
  });
};
