import { readFile } from 'node:fs/promises';
import { presentedCertificate, type TlsOptions } from '@vdo/base/http-client';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { VdoError } from '@vdo/base/vdo-error';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { Account } from '@vdo/config/credentials';
import { createVCenter, type FullVCenter, type VCenterOptions } from '@vdo/vsphere/create-vcenter';
import type { CliContext } from '../../cli/context.ts';
import { findSandbox, namedSandbox } from '../cluster/sandbox-record.ts';
import { readAccount } from './read-account.ts';
import type { VCenterFlags } from './vcenter-options.ts';

interface Target {
  readonly server: string;
  readonly port: number;
  readonly tls: TlsOptions;
  readonly account: () => Promise<Account>;
}

export const readCa = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new VdoError({
      code: 'ConfigMissing',
      message: `cannot read the CA file ${file}: ${error instanceof Error ? error.message : String(error)}`,
      remedy: 'Pass a readable PEM file with --ca-file.',
      cause: error,
    });
  }
};

const tlsOf = async ({ thumbprint, caFile, insecure }: VCenterFlags): Promise<TlsOptions> => {
  if (insecure) return { insecure: true };
  if (thumbprint !== undefined) return { thumbprints: [thumbprint] };
  return caFile === undefined ? {} : { caBundle: await readCa(caFile) };
};

/** Without --server, the vCenter of the running sandbox is used and named, so that nobody mistakes it for a real one. */
const sandboxTarget = async (context: CliContext): Promise<Target | undefined> => {
  const sandbox = (await namedSandbox(context.env)) ?? (await findSandbox(context.env));
  if (!sandbox?.vcenter) return undefined;
  const { hostname, port } = new URL(sandbox.vcenter.url);
  const shown = await presentedCertificate(hostname, Number(port));
  context.terminal.err(`vCenter: the one of the running sandbox (for another vCenter, set --server).\n`);
  const { username, password } = sandbox.vcenter;
  return {
    server: hostname,
    port: Number(port),
    tls: shown ? { thumbprints: [shown.sha256] } : {},
    account: async () => ({ username, password }),
  };
};

const saysHowToTrust = ({ thumbprint, caFile, insecure }: VCenterFlags): boolean =>
  insecure || thumbprint !== undefined || caFile !== undefined;

const tlsOfSpec = ({ tls: { thumbprints, caBundle, insecure } }: VCenterSpec): TlsOptions => ({
  thumbprints,
  insecure,
  ...(caBundle === undefined ? {} : { caBundle }),
});

const targetOf = async (context: CliContext, flags: VCenterFlags, spec?: VCenterSpec): Promise<Target> => {
  if (flags.server === undefined && flags.user === undefined) {
    const sandbox = await sandboxTarget(context);
    if (sandbox) return sandbox;
  }
  const server = flags.server ?? spec?.server;
  if (server !== undefined) {
    const tls = spec && !saysHowToTrust(flags) ? tlsOfSpec(spec) : await tlsOf(flags);
    const port = spec?.port ?? flags.port;
    return { server, port, tls, account: () => readAccount(context, { ...flags, server }) };
  }
  throw new VdoError({
    code: 'InvalidArgument',
    message: 'no vCenter is set',
    remedy:
      'Set it with --server or the environment variable VDO_VCENTER_SERVER. To try vdoctl without a vCenter, start a sandbox: vdoctl sandbox',
  });
};

export interface WithVCenterOptions {
  /** The connection settings of a configuration; flags override them. */
  readonly spec?: VCenterSpec;
  /** Default `vsphere.local`. */
  readonly ssoDomain?: string;
  /** Used instead of the account of the flags. */
  readonly as?: Account;
  /** Observes every exchange. */
  readonly observe?: VCenterOptions['observe'];
}

/** An open vCenter session; the caller closes it. */
export interface OpenedVCenter {
  readonly vcenter: FullVCenter;
  readonly account: Account;
  /** Logs out. */
  close(): Promise<void>;
}

/** Logs in to the vCenter of the flags. */
export const openVCenter = async (
  context: CliContext,
  flags: VCenterFlags,
  options: WithVCenterOptions = {},
): Promise<OpenedVCenter> => {
  const { clock, random, signal } = context;
  const { server, port, tls, account } = await targetOf(context, flags, options.spec);
  const chosen = options.as ?? (await account());
  const vcenter = createVCenter({
    server,
    port,
    tls,
    credentials: async () => ({ ...chosen, version: 'given' }),
    clock,
    random,
    logger: silentLogger,
    metrics: createMetrics(),
    userAgent: `vdoctl/${context.version}`,
    ...(options.ssoDomain === undefined ? {} : { ssoDomain: options.ssoDomain }),
    ...(options.observe ? { observe: options.observe } : {}),
  });
  const close = (): Promise<void> => vcenter.close().catch(() => undefined);
  try {
    await vcenter.login({ signal });
    return { vcenter, account: chosen, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Logs in to the vCenter of the flags, passes it to `work`, and logs out afterwards. */
export const withVCenter = async <T>(
  context: CliContext,
  flags: VCenterFlags,
  work: (vcenter: FullVCenter, account: Account) => Promise<T>,
  options: WithVCenterOptions = {},
): Promise<T> => {
  const { vcenter, account, close } = await openVCenter(context, flags, options);
  try {
    return await work(vcenter, account);
  } finally {
    await close();
  }
};
