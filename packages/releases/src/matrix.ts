import { VdoError } from '@vdo/base/vdo-error';
import { z } from 'zod';
import { isReleaseVersion, isVersionBound } from './versions.ts';

const bound = z.string().max(32).refine(isVersionBound, 'expected numbers with dots, such as 1.28, 7.0.3 or 9.0');
const version = z.string().max(64).refine(isReleaseVersion, 'expected a semantic version such as 3.7.3');

const versionRange = z.strictObject({
  min: bound.describe('Oldest supported version, inclusive.'),
  max: bound.describe('Newest supported version, inclusive; 1.37 includes every 1.37.x.'),
});

const registryHost = z
  .string()
  .max(256)
  .regex(/^[a-z0-9][a-z0-9._:/-]*[a-z0-9]$/)
  .describe('Host, with port and path if needed.');

const image = z.strictObject({
  repository: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._:/-]*[a-z0-9]$/)
    .describe('Path of the image. If a mirror is configured, it replaces a leading registry host.'),
  tag: z
    .string()
    .regex(/^[\w][\w.-]{0,127}$/)
    .describe('Tag.'),
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .optional()
    .describe('Digest, if known; the image is then pulled by digest.'),
});

export const releaseSchema = z.strictObject({
  driver: z.enum(['cpi', 'csi']).describe('Which driver.'),
  distribution: z.enum(['Native', 'Upstream']).describe('Distribution of the release.'),
  version: version.describe('Version of the release. A pre-release is installed only if the spec names it.'),
  kubernetes: versionRange.describe('Supported Kubernetes versions.'),
  vsphere: versionRange.describe('Supported vCenter versions.'),
  layout: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .describe('Layout of its manifests. An operator that does not know the layout does not install the release.'),
  minOperator: version.optional().describe('Oldest operator that knows the layout.'),
  images: z.record(z.string(), image).describe('Images by name.'),
  sidecars: z.record(z.string(), image).optional().describe('Images of the sidecar containers by name.'),
  requires: z
    .strictObject({ cpi: z.boolean().optional().describe('Nodes must have a vsphere:// provider ID.') })
    .optional()
    .describe('Prerequisites.'),
  upgradeFrom: z
    .strictObject({ min: version.describe('Oldest release from which an upgrade is safe.') })
    .optional()
    .describe('Releases that can be upgraded to this one. Default: any older release.'),
  downgradeTo: z
    .strictObject({ min: version.describe('Oldest release that can read the data of this one.') })
    .optional()
    .describe('Releases to which this one can be downgraded by name. Default: releases of the same minor version.'),
  bad: z.string().min(1).max(1024).optional().describe('Why this release is withdrawn.'),
  unverified: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe('What in this entry has been neither tested nor found in documentation.'),
});

export const matrixSchema = z
  .strictObject({
    schemaVersion: z.literal(1).describe('Version of this format.'),
    serial: z.int().min(1).describe('Increases with each publication and never decreases.'),
    published: z.iso.date().describe('Day of publication.'),
    notAfter: z.iso
      .date()
      .optional()
      .describe(
        'Last day on which this matrix may start upgrades. This limits how long an attacker can hide newer matrices from a cluster. Running drivers are still kept, repaired and rolled back. Operators before 0.2 reject a matrix with this field.',
      ),
    registries: z
      .strictObject({ Native: registryHost.optional(), Upstream: registryHost.optional() })
      .optional()
      .describe('Registry of the images per distribution, for repositories without a host.'),
    releases: z.array(releaseSchema).min(1).describe('All releases, in any order.'),
  })
  .describe('Which releases of the vSphere drivers support which Kubernetes and vSphere versions.');

/** JSON Schema of a matrix, for editors and publishers. */
export const matrixJsonSchema = (): unknown => z.toJSONSchema(matrixSchema, { io: 'input' });

export type Matrix = z.infer<typeof matrixSchema>;
export type Release = z.infer<typeof releaseSchema>;
export type DriverKind = Release['driver'];
export type Distribution = Release['distribution'];
export type ImageRef = z.infer<typeof image>;

/** True if the first part of an image name is a registry, by the rule of container runtimes. */
export const hasHost = (repository: string): boolean => {
  const [first = ''] = repository.split('/');
  return repository.includes('/') && (/[.:]/.test(first) || first === 'localhost');
};

const invalid = (source: string, what: string): VdoError =>
  new VdoError({
    code: 'MatrixInvalid',
    message: `compatibility matrix from ${source}: ${what}`,
    remedy:
      'Publish a corrected matrix, or remove spec.updates.matrix to use the built-in one. The last good matrix stays in use.',
    details: { source },
  });

const nameOf = ({ distribution, driver, version: text }: Release): string => `${distribution} ${driver} ${text}`;

/** Reads a matrix; VdoError MatrixInvalid lists every field that does not match the schema. */
export const parseMatrix = (text: string, source: string): Matrix => {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw invalid(source, `is no JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  const parsed = matrixSchema.safeParse(document);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`);
    throw invalid(source, fields.join('; '));
  }
  const names = parsed.data.releases.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(source, `${twice} is listed twice`);
  return {
    ...parsed.data,
    releases: parsed.data.releases.map((release) =>
      inRegistry(release, parsed.data.registries?.[release.distribution]),
    ),
  };
};

/** The release with complete image names: those without a registry get this one. */
export const inRegistry = (release: Release, registry: string | undefined): Release => {
  if (registry === undefined) return release;
  const complete = (images: Readonly<Record<string, ImageRef>>): Record<string, ImageRef> =>
    Object.fromEntries(
      Object.entries(images).map(([name, one]) => [
        name,
        hasHost(one.repository) ? one : { ...one, repository: `${registry}/${one.repository}` },
      ]),
    );
  const { images, sidecars } = release;
  return { ...release, images: complete(images), ...(sidecars ? { sidecars: complete(sidecars) } : {}) };
};

/** The same, for code that validates a matrix. */
export const expiryFacts = (matrix: Pick<Matrix, 'notAfter'>): { readonly expiresMs?: number } => {
  const expiresMs = expiryOf(matrix);
  return expiresMs === undefined ? {} : { expiresMs };
};

const dayMs = 24 * 3_600_000;

/** When a matrix stops being used for upgrades; undefined: never. */
export const expiryOf = ({ notAfter }: Pick<Matrix, 'notAfter'>): number | undefined =>
  notAfter === undefined ? undefined : Date.parse(notAfter) + dayMs;

/** The candidate, unless its serial is lower than that of the matrix in use: then throws VdoError MatrixInvalid. */
export const acceptMatrix = (inUse: Matrix, candidate: Matrix, source: string): Matrix => {
  if (candidate.serial >= inUse.serial) return candidate;
  throw invalid(
    source,
    `has serial ${candidate.serial}, but ${inUse.serial} is already in use; the serial cannot decrease`,
  );
};
