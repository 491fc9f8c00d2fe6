import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { CliContext } from '../../cli/context.ts';
import { findSandbox } from '../../shared/cluster/sandbox-record.ts';
import { confirmCertificate, isTrusted } from '../../shared/vsphere/trust-server.ts';
import type { Connection } from './answers-of-flags.ts';
import type { Asker } from './asker.ts';
import type { ConfigureFlags } from './command.ts';
import type { SpecDraft } from './draft.ts';
import type { WizardAnswers } from './saved-answers.ts';

/** The address of vCenter and how its certificate is trusted: from flags, otherwise by asking. */
export const findConnection = async (
  context: CliContext,
  flags: ConfigureFlags,
  options: {
    readonly asker: Asker | undefined;
    readonly before: SpecDraft['vcenters'];
    /** The answers so far. */
    readonly answers?: WizardAnswers;
    /** Uses the vCenter that was already chosen, without asking again. */
    readonly again?: boolean;
  },
): Promise<Connection> => {
  const { asker, answers = {} } = options;
  const [first] = options.before ?? [];
  const sandbox = flags.server === undefined && !first ? await findSandbox(context.env) : undefined;
  const url = sandbox?.vcenter && new URL(sandbox.vcenter.url);
  const known = flags.server ?? first?.server ?? url?.hostname ?? (options.again ? answers.server : undefined);
  const server = known ?? (await asker?.text('vCenter host name or IP address', answers.server));
  if (server === undefined) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: 'the vCenter is not set, and vdoctl cannot ask: standard input is not a terminal',
      remedy: 'Set --server or the environment variable VDO_VCENTER_SERVER.',
    });
  }
  const old = options.before?.find((one) => one.server.toLowerCase() === server.toLowerCase());
  const port = old?.port ?? (url && known === url.hostname ? Number(url.port) : flags.port);
  const { insecure, thumbprint, caFile } = flags;
  if (insecure) return { server, port, insecure };
  if (thumbprint !== undefined) return { server, port, insecure, thumbprint };
  if (caFile !== undefined) return { server, port, insecure, caBundle: await readFile(caFile, 'utf8') };
  // The trust settings of the configuration stay unchanged.
  if (old?.tls) return { server, port, insecure };
  // The connection later verifies that the certificate is still the same.
  if (answers.thumbprint !== undefined && answers.server === server)
    return { server, port, insecure, thumbprint: answers.thumbprint };
  if (!asker || (await isTrusted(context, server, port))) return { server, port, insecure };
  const confirmed = await confirmCertificate(context, asker, { server, port });
  return { server, port, insecure, ...(confirmed === undefined ? {} : { thumbprint: confirmed }) };
};
