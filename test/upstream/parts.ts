// What tools/compare-upstream.mjs uses of the project, as one module that esbuild makes importable.
import type { AnyObject } from '@vdo/kube/types/object';
import type { DriverKind } from '@vdo/releases/matrix';
import { parseManifest } from '@vdo/releases/parse-manifest';
import { releasesOf, renderWorld } from '@vdo/releases/testing/rendered-worlds';
import { type Comparison, compareManifests } from './compare.ts';
import { reasons } from './reasons.ts';
import { withUpstreamNames } from './upstream-names.ts';

/** The versions of the matrix, newest first. */
export const versionsOf = (driver: DriverKind): readonly string[] =>
  releasesOf(driver, 'Upstream').map(({ version }) => version);

/** Pinned images by their tags again: the matrix knows both. */
const byTag = <T>(value: T, tags: ReadonlyMap<string, string>): T =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/@(sha256:[0-9a-f]{64})/g, (whole, digest: string) => {
      const tag = tags.get(digest);
      return tag === undefined ? whole : `:${tag}`;
    }),
  );

const render = (driver: DriverKind, version: string): readonly AnyObject[] => {
  const release = releasesOf(driver, 'Upstream').find((one) => one.version === version);
  if (!release) throw new Error(`the compatibility matrix has no ${driver} ${version}`);
  const spec = { images: {}, ...(driver === 'cpi' ? { csi: undefined } : { cpi: undefined }) };
  const tags = new Map(
    [...Object.values(release.images), ...Object.values(release.sidecars ?? {})].flatMap(({ digest, tag }) =>
      digest === undefined || tag === undefined ? [] : [[digest, tag] as const],
    ),
  );
  const rendered = renderWorld('Upstream', spec as never, { releases: { [driver]: release }, only: driver });
  return byTag(withUpstreamNames(rendered), tags);
};

/** Compares what VDO installs as a release with what the release's own manifests install. */
export const compareRelease = (driver: DriverKind, version: string, manifest: string): Comparison =>
  compareManifests(
    parseManifest(manifest, `${driver} ${version}`),
    render(driver, version),
    reasons,
    driver === 'cpi' ? 'kube-system' : 'vmware-system-csi',
  );

export { reasons };
