import { writeFile } from 'node:fs/promises';

/** How a kubeconfig's user proves who it is. */
export type KubeconfigUser = { readonly cert: string; readonly key: string } | { readonly token: string };

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Writes a kubeconfig with everything inlined, so that it works from any folder, and returns its path. */
export async function writeKubeconfig(
  path: string,
  { url, caCert, user }: { readonly url: string; readonly caCert: string; readonly user: KubeconfigUser },
): Promise<string> {
  const credentials =
    'token' in user
      ? { token: user.token }
      : { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(user.key) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority-data': base64(caCert) } }],
    users: [{ name: 'test', user: credentials }],
  };
  // JSON is YAML, and every reader of kubeconfigs takes it.
  await writeFile(path, JSON.stringify(config, null, 2), { mode: 0o600 });
  return path;
}
