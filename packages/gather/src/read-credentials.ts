import { VdoError } from '@vdo/base/vdo-error';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import { decodeSecretData, readAccount } from '@vdo/config/credentials';
import type { KubeClient } from '@vdo/kube/client';
import { secrets } from '@vdo/kube/types/core';
import type { Credentials } from '@vdo/vsphere/vcenter';

/** Reads the Secret that the spec names for one vCenter. */
export const readCredentials = async (
  kube: KubeClient,
  vcenter: VCenterSpec,
  options: { readonly namespace: string; readonly signal?: AbortSignal },
): Promise<Credentials> => {
  const { namespace, signal } = options;
  const { credentialsSecret: name, server } = vcenter;
  const secret = await kube.find(secrets, { namespace, name }, signal ? { signal } : {});
  if (secret) {
    const account = readAccount({ data: decodeSecretData(secret.data), server, source: `Secret ${namespace}/${name}` });
    return { ...account, version: secret.metadata.resourceVersion ?? '' };
  }
  throw new VdoError({
    code: 'SecretMissing',
    message: `Secret ${namespace}/${name}, set as credentialsSecret of vCenter ${server}, does not exist`,
    remedy: `kubectl -n ${namespace} create secret generic ${name} --from-literal=username=USER@DOMAIN --from-file=password=FILE`,
    details: { namespace, name, server },
  });
};
