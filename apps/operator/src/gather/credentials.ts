import { VdoError } from '@vdo/base/vdo-error';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { KubeClient } from '@vdo/kube/client';
import { type Secret, secrets } from '@vdo/kube/types/core';
import type { Credentials } from '@vdo/vsphere/vcenter';

const decode = (value: string | undefined): string => Buffer.from(value ?? '', 'base64').toString('utf8');

const missingKeys = (namespace: string, name: string, keys: readonly string[]): VdoError =>
  new VdoError({
    code: 'SecretKeysMissing',
    message: `Secret ${namespace}/${name} has no value for ${keys.join(' and ')}`,
    remedy: `kubectl -n ${namespace} create secret generic ${name} --from-literal=username=USER@DOMAIN --from-file=password=FILE --dry-run=client -o yaml | kubectl apply -f -`,
    details: { namespace, name, keys },
  });

/** Picks the credentials of one server out of a Secret: plain `username`/`password` or `<server>.username`/`.password`. */
export const credentialsFrom = (secret: Secret, server: string): Credentials => {
  const { name = '', namespace = '', resourceVersion = '' } = secret.metadata;
  const value = (key: string) => decode(secret.data?.[`${server}.${key}`] ?? secret.data?.[key]);
  const username = value('username');
  // A newline at the end is always an accident of `echo`: vCenter passwords cannot hold one.
  const password = value('password').replace(/\r?\n$/, '');
  const absent = [...(username.trim() === '' ? ['username'] : []), ...(password === '' ? ['password'] : [])];
  if (absent.length > 0) throw missingKeys(namespace, name, absent);
  return { username: username.trim(), password, version: resourceVersion };
};

/** Reads the user's Secret of one vCenter. */
export const readCredentials = async (
  kube: KubeClient,
  vcenter: VCenterSpec,
  options: { readonly namespace: string; readonly signal?: AbortSignal },
): Promise<Credentials> => {
  const { namespace, signal } = options;
  const name = vcenter.credentialsSecret;
  const secret = await kube.find(secrets, { namespace, name }, signal ? { signal } : {});
  if (secret) return credentialsFrom(secret, vcenter.server);
  throw new VdoError({
    code: 'SecretMissing',
    message: `Secret ${namespace}/${name}, named by the credentialsSecret of vCenter ${vcenter.server}, does not exist`,
    remedy: `kubectl -n ${namespace} create secret generic ${name} --from-literal=username=USER@DOMAIN --from-file=password=FILE`,
    details: { namespace, name, server: vcenter.server },
  });
};
