import { VdoError } from '@vdo/base/vdo-error';
import {
  type CredentialsRef,
  type DriverConfig,
  defaultSecretsDirectory,
  type VCenterConfig,
} from '../driver-config.ts';

/** The keys in a file that say where accounts come from, in the spelling of the YAML format. */
export interface CredentialKeys {
  readonly secretName?: string;
  readonly secretNamespace?: string;
  readonly secretsDirectory?: string;
  readonly user?: string;
  readonly password?: string;
}

const keysOf = (ref: CredentialsRef): CredentialKeys => {
  if (ref.kind === 'secret') return { secretName: ref.name, secretNamespace: ref.namespace };
  return ref.kind === 'inline' ? { user: ref.username, password: ref.password } : {};
};

/**
 * Splits the credentials of a configuration into those of the `global` section and those of each vCenter: a Secret
 * shared by all goes into `global`, as in the drivers' own examples.
 */
export const credentialKeys = ({
  vcenters,
}: DriverConfig): {
  readonly global: CredentialKeys;
  readonly of: (vcenter: VCenterConfig) => CredentialKeys;
} => {
  const refs = vcenters.map(({ credentials }) => credentials);
  const directories = [...new Set(refs.flatMap((ref) => (ref.kind === 'directory' ? [ref.path] : [])))];
  const inline = refs.some(({ kind }) => kind === 'inline');
  if (directories.length > 1 || (directories.length > 0 && inline)) {
    throw new VdoError({
      code: 'ConfigInvalid',
      message: `credentials come from ${directories.join(', ')}${inline ? ' and from the file itself' : ''}; a file supports one directory and no other account`,
      remedy: 'Give each vCenter a Secret instead.',
    });
  }
  const first = refs[0];
  const shared = first?.kind === 'secret' && refs.every((ref) => JSON.stringify(ref) === JSON.stringify(first));
  if (shared && first) return { global: keysOf(first), of: () => ({}) };
  const directory = directories[0];
  const isDefault = directory === undefined || directory === defaultSecretsDirectory;
  return { global: isDefault ? {} : { secretsDirectory: directory }, of: ({ credentials }) => keysOf(credentials) };
};
