import { readFile } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';

/** How this program authenticates to a Prometheus, and how it trusts the server. */
export interface PrometheusAccess {
  /** Sent as a bearer token. */
  readonly token?: string;
  /** PEM certificates to trust besides the system's. */
  readonly caBundle?: string;
}

export interface PrometheusFiles {
  readonly tokenFile?: string;
  readonly caFile?: string;
}

const textOf = async (path: string, what: string): Promise<string> => {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new VdoError({
      code: 'SourceUnreadable',
      message: `the ${what} for Prometheus cannot be read: ${error.message}`,
      remedy: `Give the path of a file that exists and that this program may read; ls -l ${path} shows it.`,
      cause: error,
    });
  });
  if (text.trim() !== '') return text;
  throw new VdoError({
    code: 'SourceUnreadable',
    message: `the ${what} for Prometheus, ${path}, is empty`,
    remedy: `Write the ${what} into it.`,
  });
};

/** Reads the files each time: tokens of service accounts are replaced every hour, and certificates too. */
export const prometheusFiles =
  ({ tokenFile, caFile }: PrometheusFiles) =>
  async (): Promise<PrometheusAccess> => ({
    ...(tokenFile === undefined ? {} : { token: (await textOf(tokenFile, 'token')).trim() }),
    ...(caFile === undefined ? {} : { caBundle: await textOf(caFile, 'CA bundle') }),
  });

const isHere = (hostname: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

/** Refuses to send a token without encryption. */
export const assertPrivate = (address: string, { token }: PrometheusAccess): void => {
  const { protocol, hostname, host } = new URL(address);
  if (token === undefined || protocol === 'https:' || isHere(hostname)) return;
  throw new VdoError({
    code: 'SourceUnreadable',
    message: `a token would be sent to Prometheus at ${host} without encryption`,
    remedy: `Give its address as https://${host}, or no token.`,
  });
};
