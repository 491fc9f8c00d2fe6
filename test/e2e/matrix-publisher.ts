import { generateKeyPairSync } from 'node:crypto';
import type { AnyObject } from '@vdo/kube/types/object';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { forFirstOperators } from '@vdo/releases/first-operators';
import type { Release } from '@vdo/releases/matrix';
import { signMatrix } from '@vdo/releases/matrix-signature';
import { operatorNamespace } from './operator-testbed.ts';

/**
 * Publishes signed matrices in a ConfigMap: the releases of this build under other versions, for operators of every version. Those of the
 * first layout are for programs or operators of v0.1.0.
 */
export const createMatrixPublisher = (
  apply: (object: AnyObject) => Promise<void>,
  isFirstLayout: (version: string) => boolean = (version) => version === '0.1.0',
) => {
  const keys = generateKeyPairSync('ed25519');
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const embedded = loadEmbeddedMatrix();
  const releaseOf = (driver: Release['driver'], version: string): readonly Release[] =>
    embedded.releases
      .filter((one) => one.distribution === 'Native' && one.driver === driver)
      .slice(0, 1)
      .map((one) => ({
        ...one,
        version,
        ...(isFirstLayout(version) ? { layout: `native-${driver}-1` } : {}),
        images: { vdo: { repository: 'vdo/vdo', tag: version } },
      }));
  return {
    /** `spec.updates` that takes its releases from `publish`. */
    updates: { matrix: { configMap: { name: 'matrix' } }, trustedKeys: [publicKey] },
    publish: async (
      serial: number,
      versions: Readonly<Record<Release['driver'], readonly string[]>>,
      /** The oldest release that reads what these have written. Operators of v0.1.0 refuse a matrix that tells it. */
      downgradeTo?: string,
    ): Promise<void> => {
      const releases = (['cpi', 'csi'] as const).flatMap((driver) =>
        versions[driver].flatMap((version) => releaseOf(driver, version)),
      );
      const upstream = embedded.releases.filter(({ distribution }) => distribution === 'Upstream');
      const plain = forFirstOperators({ ...embedded, serial, releases: [...releases, ...upstream] });
      const reported = downgradeTo === undefined ? {} : { downgradeTo: { min: downgradeTo } };
      const text = JSON.stringify({
        ...plain,
        releases: plain.releases.map((release) => ({ ...release, ...reported })),
      });
      const data = { 'matrix.json': text, 'matrix.json.sig': signMatrix(text, [privateKey]) };
      const metadata = { name: 'matrix', namespace: operatorNamespace };
      await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    },
  };
};
