import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { VdoError } from '@vdo/base/vdo-error';
import type { Credentials } from './credentials.ts';

/** The credentials of a solution user of single sign-on. */
export interface KeyPair {
  /** DER. */
  readonly certificate: Buffer;
  readonly privateKey: KeyObject;
}

const invalid = (message: string, cause?: unknown): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `the credentials are a certificate, but ${message}`,
    remedy:
      'In the credentials Secret, set the username to the certificate of a solution user (PEM) and the password to its unencrypted RSA private key (PEM).',
    cause,
  });

/** Credentials whose username is a certificate in PEM form. */
const isCertificateLogin = ({ username }: Pick<Credentials, 'username'>): boolean =>
  username.trimStart().startsWith('-----BEGIN CERTIFICATE-----');

/** The certificate and key from credentials; undefined if they contain a name and a password. Throws InvalidArgument. */
export const keyPairOf = (credentials: Credentials): KeyPair | undefined => {
  if (!isCertificateLogin(credentials)) return undefined;
  const read = <T>(what: string, parse: () => T): T => {
    try {
      return parse();
    } catch (error) {
      throw invalid(`${what} cannot be read`, error);
    }
  };
  const certificate = read('it', () => new X509Certificate(credentials.username));
  const privateKey = read('the private key', () => createPrivateKey(credentials.password));
  if (privateKey.asymmetricKeyType !== 'rsa')
    throw invalid(
      `its key is of type ${privateKey.asymmetricKeyType ?? 'unknown'}; single sign-on accepts only RSA keys`,
    );
  if (!certificate.checkPrivateKey(privateKey)) throw invalid('the private key belongs to another certificate');
  return { certificate: certificate.raw, privateKey };
};

/** The user name for the login guard and for messages: a certificate is represented by its fingerprint. */
export const loginIdentity = (credentials: Credentials): Credentials => {
  if (!isCertificateLogin(credentials)) return credentials;
  const hash = createHash('sha256').update(credentials.username.trim()).digest('hex').slice(0, 16);
  return { ...credentials, username: `certificate ${hash}` };
};
