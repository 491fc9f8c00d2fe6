import { createHash, generateKeyPairSync } from 'node:crypto';
import { httpResponse } from '@vdo/base/http';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { Applier } from '@vdo/kube/apply/create-applier';
import type { AnyObject } from '@vdo/kube/types/object';
import { signMatrix } from '@vdo/releases/matrix-signature';
import { describe, expect, it } from 'vitest';
import { type CniSource, createCniKeeper } from './cni-keeper.ts';

const keyPair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};
const publisher = keyPair();
const manifest = (image: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cni', namespace: 'kube-system' },
    data: { image },
  });
const good = manifest('good');
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const address = 'https://example.com/cni.yaml';

const build = (site: Readonly<Record<string, string>>) => {
  const applied: AnyObject[] = [];
  const asked: string[] = [];
  const applier = {
    apply: async (objects: readonly AnyObject[]) => void applied.push(...objects),
    inventory: async () => [],
  } as unknown as Applier;
  const keeper = createCniKeeper({
    applier,
    readers: {
      connect:
        (origin) =>
        async ({ path }) => {
          asked.push(`${origin}${path}`);
          const found = site[`${origin}${path}`];
          return found === undefined ? httpResponse(404, '') : httpResponse(200, found);
        },
      readConfigMap: async () => ({ 'cni.yaml': good }),
      readFile: async () => good,
    },
    isCurrent: () => true,
    clock: createVirtualClock(),
    random: createSeededRandom(1),
  });
  const keep = async (source: CniSource, trustedKeys: readonly string[] = []) => {
    const { cniProblem } = await keeper.keep(source, { signal: new AbortController().signal, trustedKeys });
    return cniProblem ? `${cniProblem.code}: ${cniProblem.message}` : undefined;
  };
  return { keep, applied, asked };
};

describe('the manifest of a pod network from an address', () => {
  it('is taken with its digest', async () => {
    const { keep, applied } = build({ [address]: good });
    expect(await keep({ url: address, digest: digestOf(good) })).toBeUndefined();
    expect(applied).toHaveLength(1);
  });

  it('is taken with the signature of a trusted key', async () => {
    const { keep, applied } = build({ [address]: good, [`${address}.sig`]: signMatrix(good, [publisher.privateKey]) });
    expect(await keep({ url: address }, [publisher.publicKey])).toBeUndefined();
    expect(applied).toHaveLength(1);
  });

  it.each<[string, Readonly<Record<string, string>>, CniSource, RegExp]>([
    [
      'was changed',
      { [address]: manifest('evil') },
      { url: address, digest: digestOf(good) },
      /its digest is sha256:.*expected/,
    ],
    [
      'nobody vouches for',
      { [address]: good },
      { url: address },
      /digest is not set, and the manifest has no signature/,
    ],
    [
      'was signed before it was changed',
      { [address]: manifest('evil'), [`${address}.sig`]: signMatrix(good, [publisher.privateKey]) },
      { url: address },
      /it does not match the document/,
    ],
    [
      'a stranger signed',
      { [address]: good, [`${address}.sig`]: signMatrix(good, [keyPair().privateKey]) },
      { url: address },
      /trusted keys:/,
    ],
  ])('is not applied if it is one that %s', async (_, site, source, problem) => {
    const { keep, applied } = build(site);
    expect(await keep(source, [publisher.publicKey])).toMatch(problem);
    expect(applied).toEqual([]);
  });

  it('is not even asked for by plain HTTP', async () => {
    const { keep, applied, asked } = build({ 'http://example.com/cni.yaml': good });
    expect(await keep({ url: 'http://example.com/cni.yaml', digest: digestOf(good) })).toMatch(
      /begins with https|without TLS/,
    );
    expect({ applied, asked }).toEqual({ applied: [], asked: [] });
  });

  it('needs neither from a ConfigMap or a file, which the owner of the cluster wrote', async () => {
    const { keep, applied } = build({});
    expect(await keep({ configMap: { name: 'cni' } })).toBeUndefined();
    expect(await keep({ file: '/etc/cni.yaml' })).toBeUndefined();
    expect(await keep({ file: '/etc/cni.yaml', digest: digestOf('other') })).toContain('its digest is');
    expect(applied).toHaveLength(1);
  });
});
