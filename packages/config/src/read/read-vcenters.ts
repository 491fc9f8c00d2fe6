import {
  type CredentialsRef,
  defaultPort,
  defaultSecretsDirectory,
  defaultSoapRoundtripCount,
  type IpFamily,
  type TlsConfig,
  type VCenterConfig,
} from '../driver-config.ts';
import type { ProblemList } from '../problems.ts';
import { isHost } from './cidr.ts';
import type { SectionReader } from './section-reader.ts';

/** The keys that `global` and each vCenter have in common, before inheritance. */
interface Connection {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly server?: string | undefined;
  readonly port?: number | undefined;
  readonly insecure?: boolean | undefined;
  readonly datacenters?: readonly string[] | undefined;
  readonly soapRoundtripCount?: number | undefined;
  readonly caFile?: string | undefined;
  readonly thumbprints?: readonly string[] | undefined;
  readonly ipFamilies?: readonly IpFamily[] | undefined;
  readonly secret?: { readonly namespace: string; readonly name: string } | undefined;
}

const readSecretRef = (section: SectionReader): Connection['secret'] => {
  const name = section.text('secretName');
  const namespace = section.text('secretNamespace');
  if (name && namespace) return { name, namespace };
  if (name) section.problem('secretName', 'is set without secretNamespace', 'Add the namespace of the Secret.');
  if (namespace) section.problem('secretNamespace', 'is set without secretName', 'Add the name of the Secret.');
  return undefined;
};

const readConnection = (section: SectionReader): Connection => {
  const server = section.text('server');
  if (server !== undefined && !isHost(server)) {
    section.problem(
      'server',
      `"${server}" is neither a host name nor an IP address`,
      'Write only the host, without https://, brackets, port or path.',
    );
  }
  const many = { min: 1, max: 1000 };
  const roundtrips = section.text('soapRoundtripCount') === '0' ? undefined : section.count('soapRoundtripCount', many);
  return {
    user: section.text('user'),
    password: section.text('password'),
    server,
    // The Go program treats 0 as not set.
    port: section.text('port') === '0' ? undefined : section.count('port', { min: 1, max: 65_535 }),
    insecure: section.flag('insecureFlag'),
    datacenters: section.list('datacenters'),
    soapRoundtripCount: roundtrips,
    caFile: section.text('caFile'),
    thumbprints: section.thumbprints('thumbprint'),
    ipFamilies: section.families('ipFamily'),
    secret: readSecretRef(section),
  };
};

const filled = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

const tlsOf = (own: Connection, global: Connection): TlsConfig => {
  const caFile = own.caFile ?? global.caFile;
  return {
    thumbprints: filled(own.thumbprints) ?? global.thumbprints ?? [],
    ...(caFile === undefined ? {} : { caFile }),
    insecure: own.insecure === true || global.insecure === true,
  };
};

/** vCenter's Secret, then the global Secret or directory, then the account in the file. */
const credentialsOf = (own: Connection, global: Connection, directory: string | undefined): CredentialsRef => {
  if (own.secret) return { kind: 'secret', ...own.secret };
  if (global.secret) return { kind: 'secret', ...global.secret };
  if (directory) return { kind: 'directory', path: directory };
  const username = own.user ?? global.user;
  const password = own.password ?? global.password;
  if (username !== undefined && password !== undefined) return { kind: 'inline', username, password };
  return { kind: 'directory', path: defaultSecretsDirectory };
};

const reportInline = (section: SectionReader, path: string, problems: ProblemList): void => {
  const line = section.lineOf('password');
  if (line === undefined || section.text('password') === undefined) return;
  problems.warn({
    line,
    field: `${path}.password`,
    message: 'the configuration file contains a password',
    remedy: 'Move the account to a Secret and set secretName and secretNamespace.',
  });
};

const reportHalfAccount = (section: SectionReader, own: Connection, global: Connection): void => {
  const user = own.user ?? global.user;
  const password = own.password ?? global.password;
  if (user !== undefined && password === undefined)
    section.problem('user', 'is set without a password', 'Add the password, or preferably a Secret.');
  if (password !== undefined && user === undefined)
    section.problem('password', 'is set without a user', 'Add the user, or preferably a Secret.');
};

export interface ReadVCentersOptions {
  readonly file: SectionReader;
  /** The section `global` of the file. */
  readonly globalSection: SectionReader;
  readonly problems: ProblemList;
}

/** All vCenters of a file, each with what it inherits from `global`. */
export const readVCenters = ({ file, globalSection, problems }: ReadVCentersOptions): readonly VCenterConfig[] => {
  const global = readConnection(globalSection);
  const directory = globalSection.text('secretsDirectory');
  globalSection.ignore('apiDisable', 'apiBinding', 'datacenter');
  reportInline(globalSection, 'global', problems);
  const oldDatacenter = filled(global.datacenters) ?? globalSection.list('datacenter');

  const build = (name: string, own: Connection, section: SectionReader): readonly VCenterConfig[] => {
    if (own.server === undefined) {
      section.problem(
        'server',
        `vCenter ${name} has no server`,
        `Add server: with the host name or IP address of vCenter ${name}.`,
      );
      return [];
    }
    const credentials = credentialsOf(own, global, directory);
    if (credentials.kind === 'directory' && !directory) reportHalfAccount(section, own, global);
    const migrationDatastoreUrl = section.text('migrationDatastoreUrl');
    return [
      {
        name,
        server: own.server,
        port: own.port ?? global.port ?? defaultPort,
        tls: tlsOf(own, global),
        datacenters: filled(own.datacenters) ?? oldDatacenter ?? [],
        soapRoundtripCount: own.soapRoundtripCount ?? global.soapRoundtripCount ?? defaultSoapRoundtripCount,
        ipFamilies: filled(own.ipFamilies) ?? filled(global.ipFamilies) ?? ['ipv4'],
        credentials,
        ...(migrationDatastoreUrl === undefined ? {} : { migrationDatastoreUrl }),
      },
    ];
  };

  const vcenters = file.named('vcenter').flatMap(({ name, reader }) => {
    reader.ignore('targetVsanFileShareClusters');
    reportInline(reader, `vcenter.${name}`, problems);
    return build(name, readConnection(reader), reader);
  });
  const alone =
    global.server !== undefined && !vcenters.some(({ name, server }) => [name, server].includes(global.server ?? ''));
  const found =
    alone && global.server !== undefined ? [...vcenters, ...build(global.server, global, globalSection)] : vcenters;
  reportVCenterSet(found, file, problems);
  return found;
};

const reportVCenterSet = (vcenters: readonly VCenterConfig[], file: SectionReader, problems: ProblemList): void => {
  if (vcenters.length === 0 && !problems.all.some(({ severity }) => severity === 'error')) {
    problems.error({ field: 'vcenter', message: 'no vCenter is configured', remedy: 'Add a vCenter with its server.' });
  }
  // Several vCenters may share a host name behind one address, each on its own port.
  const endpoints = vcenters.map(({ server, port }) => `${server.toLowerCase()} port ${port}`);
  for (const endpoint of new Set(endpoints.filter((item, index) => endpoints.indexOf(item) !== index))) {
    const line = file.lineOf('vcenter');
    problems.error({
      ...(line === undefined ? {} : { line }),
      field: 'vcenter',
      message: `server ${endpoint} is configured more than once`,
      remedy: 'Keep one entry per vCenter.',
    });
  }
};
