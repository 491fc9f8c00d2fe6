/**
 * A name and a password; or the certificate of a solution user (PEM) as `username` and its private RSA key (PEM) as
 * `password`, as the vSphere cloud provider takes them: then a token of single sign-on is asked for, and nothing secret is sent.
 */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** Changes whenever the Secret changes (its resourceVersion or a hash): the lock-out guard counts per version. */
  readonly version: string;
}

/** Read at each login, so that a rotated Secret is used at once. Throws VdoError SecretMissing or SecretKeysMissing. */
export type CredentialsSource = (options: { readonly signal?: AbortSignal }) => Promise<Credentials>;
