import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vdo/base/clock';
import { createSelfSigned } from '@vdo/base/self-signed';

/** PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Returns the certificate to serve with; called repeatedly, because a mounted one is renewed. */
export type CertificateSource = () => Promise<Certificate>;

export interface CertificateOptions {
  /** Of a certificate made here. */
  readonly commonName: string;
  readonly hosts: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  /** Both or neither. They must exist. */
  readonly certFile?: string;
  readonly keyFile?: string;
  /** `tls.crt` and `tls.key` of this folder, as in a Secret of type kubernetes.io/tls, if both exist. */
  readonly folder?: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const validDays = 365;

const isMissing = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'ENOENT';

const readPair = async (certFile: string, keyFile: string): Promise<Certificate> => {
  const [cert, key] = await Promise.all([certFile, keyFile].map((path) => readFile(path, 'utf8')));
  return { cert: cert ?? '', key: key ?? '' };
};

/** The given files, else those of the folder, else a self-signed certificate, which is renewed long before it expires. */
export const createCertificateSource = (options: CertificateOptions): CertificateSource => {
  const { commonName, hosts, clock, certFile, keyFile, folder } = options;
  let made: { readonly certificate: Certificate; readonly renewAtMs: number } | undefined;

  const own = (): Certificate => {
    const nowMs = clock.now();
    if (made && nowMs < made.renewAtMs) return made.certificate;
    const { cert, key } = createSelfSigned({ commonName, hosts, nowMs, validDays });
    made = { certificate: { cert, key }, renewAtMs: nowMs + (validDays / 2) * dayMs };
    return made.certificate;
  };

  return async () => {
    if (certFile !== undefined && keyFile !== undefined) return readPair(certFile, keyFile);
    if (folder === undefined) return own();
    try {
      return await readPair(join(folder, 'tls.crt'), join(folder, 'tls.key'));
    } catch (error) {
      if (isMissing(error)) return own();
      throw error;
    }
  };
};
