/**
 * A name and a password; or the certificate of a solution user (PEM) as `username` and its private RSA key (PEM) as
 * `password`, as in the vSphere cloud provider: then a token of single sign-on is requested, and nothing secret is sent.
 */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** Changes whenever the Secret changes (its resourceVersion or a hash): the lock-out guard counts per version. */
  readonly version: string;
}

/** Read at each login, so that a rotated Secret takes effect immediately. Throws VdoError SecretMissing or SecretKeysMissing. */
export type CredentialsSource = (options: { readonly signal?: AbortSignal }) => Promise<Credentials>;
