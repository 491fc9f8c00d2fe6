import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

/** A certificate and its key, as files and as PEM. */
export interface KeyPair {
  readonly certPath: string;
  readonly keyPath: string;
  readonly cert: string;
  readonly key: string;
}

/** What a certificate is issued for. */
export interface CertificateRequest {
  /** Base name of its files, unique in the folder. */
  readonly name: string;
  readonly commonName: string;
  /** Kubernetes reads a client's groups from here. */
  readonly organizations?: readonly string[];
  /** DNS names and IP addresses. Their presence makes it a server's certificate, their absence a client's. */
  readonly hosts?: readonly string[];
}

/** A certificate authority for one test run. */
export interface Authority extends KeyPair {
  issue(request: CertificateRequest): Promise<KeyPair>;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
// Longer than the month in which a check begins to warn.
const days = ['-days', '365'];

/** Creates a certificate authority whose files, and those it issues, lie in `folder`. */
export async function createAuthority(folder: string, name = 'ca'): Promise<Authority> {
  const files = pathsOf(folder, name);
  const subject = ['-subj', `/CN=vdo-test-${name}`];
  await openssl(['req', '-x509', ...newKey, ...days, ...subject, '-keyout', files.keyPath, '-out', files.certPath]);
  return { ...(await load(files)), issue: (request) => issue(folder, files, request) };
}

/** Creates a server certificate that is signed by its own key, as a fresh vCenter has one. */
export async function createSelfSigned(folder: string, request: CertificateRequest): Promise<KeyPair> {
  const files = pathsOf(folder, request.name);
  const extension = ['-addext', alternativeNames(request.hosts ?? [])];
  const output = ['-keyout', files.keyPath, '-out', files.certPath];
  await openssl(['req', '-x509', ...newKey, ...days, '-subj', subjectOf(request), ...extension, ...output]);
  return load(files);
}

async function issue(folder: string, authority: Paths, request: CertificateRequest): Promise<KeyPair> {
  const files = pathsOf(folder, request.name);
  const [csr, extensions] = [join(folder, `${request.name}.csr`), join(folder, `${request.name}.ext`)];
  const usage = request.hosts
    ? `extendedKeyUsage=serverAuth\n${alternativeNames(request.hosts)}`
    : 'extendedKeyUsage=clientAuth';
  await writeFile(extensions, `${usage}\n`);
  await openssl(['req', '-new', ...newKey, '-subj', subjectOf(request), '-keyout', files.keyPath, '-out', csr]);
  const signer = ['-CA', authority.certPath, '-CAkey', authority.keyPath, '-CAcreateserial'];
  await openssl(['x509', '-req', '-in', csr, ...signer, ...days, '-extfile', extensions, '-out', files.certPath]);
  return load(files);
}

type Paths = Pick<KeyPair, 'certPath' | 'keyPath'>;

const pathsOf = (folder: string, name: string): Paths => ({
  certPath: join(folder, `${name}.crt`),
  keyPath: join(folder, `${name}.key`),
});

const load = async (paths: Paths): Promise<KeyPair> => ({
  ...paths,
  cert: await readFile(paths.certPath, 'utf8'),
  key: await readFile(paths.keyPath, 'utf8'),
});

// A slash separates the fields of openssl's -subj; names such as system:serviceaccount:ns/x would break it.
const escapeField = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('/', '\\/');

function subjectOf({ commonName, organizations = [] }: CertificateRequest): string {
  return [...organizations.map((name) => `/O=${escapeField(name)}`), `/CN=${escapeField(commonName)}`].join('');
}

function alternativeNames(hosts: readonly string[]): string {
  const kind = (host: string): string => (/^[\d.]+$|:/.test(host) ? 'IP' : 'DNS');
  return `subjectAltName=${hosts.map((host) => `${kind(host)}:${host}`).join(',')}`;
}

function openssl(args: readonly string[]): Promise<string> {
  return run('openssl', args);
}
