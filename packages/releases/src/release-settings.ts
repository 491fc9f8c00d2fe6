import { VdoError } from '@vdo/base/vdo-error';
import { z } from 'zod';
import document from './release-settings.json' with { type: 'json' };

const httpsUrl = z
  .string()
  .max(2048)
  .regex(/^https:\/\/[^\s/]+(\/[^\s]*)?$/, 'expected an https:// address');

export const releaseSettingsSchema = z
  .strictObject({
    registry: z
      .string()
      .max(256)
      .regex(/^[a-z0-9][a-z0-9.-]*(:\d+)?(\/[a-z0-9][a-z0-9._/-]*)?$/, 'expected a host, with port and path if needed')
      .describe('Registry, with path, that the images of a release are pushed to and pulled from.'),
    matrixUrl: httpsUrl.describe(
      'Address of the published compatibility matrix. Its signature has the same address with .sig appended.',
    ),
    publicKeys: z
      .array(
        z.string().regex(/^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+-----END PUBLIC KEY-----\n?$/, 'expected PEM'),
      )
      .max(8)
      .describe('Ed25519 public keys (PEM) that sign the compatibility matrix and the air-gap bundles.'),
    npmScope: z
      .string()
      .regex(/^@[a-z0-9][a-z0-9._-]*$/, 'expected a scope such as @acme')
      .describe('Scope of the npm package on the public registry, such as @acme.'),
    projectUrl: httpsUrl.describe('Home page of the project: source, documentation, releases.'),
  })
  .describe('Where a release is published. One file, read when the programs are built.');

export type ReleaseSettings = z.infer<typeof releaseSettingsSchema>;

/** JSON Schema of the settings, for editors and publishers. */
export const releaseSettingsJsonSchema = (): unknown => z.toJSONSchema(releaseSettingsSchema, { io: 'input' });

/** Reads settings; VdoError ConfigInvalid lists every field that does not match the schema. */
export const parseReleaseSettings = (value: unknown, source: string): ReleaseSettings => {
  const parsed = releaseSettingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`);
  throw new VdoError({
    code: 'ConfigInvalid',
    message: `release settings ${source}: ${fields.join('; ')}`,
    remedy: 'Correct the file; its schema is deploy/release-settings.schema.json.',
  });
};

/** The settings with which this program was built. */
export const loadReleaseSettings = (): ReleaseSettings => parseReleaseSettings(document, 'of this build');

/** Names that RFC 2606 and RFC 6761 reserve: nobody can publish there. */
const reserved = /(^|\.)(example\.(com|net|org)|example|invalid|test)$/;

const hostOf = (address: string): string => {
  const [authority = ''] = address.replace(/^https:\/\//, '').split('/');
  return authority.replace(/:\d+$/, '').toLowerCase();
};

/** True for a registry or address on a host that nobody can own: a placeholder. */
export const isPlaceholder = (address: string): boolean => reserved.test(hostOf(address));

/** The registry of the images, from the flag or from the release; undefined if neither sets one. */
export const publishedRegistry = (
  { registry }: Pick<ReleaseSettings, 'registry'>,
  reported?: string,
): string | undefined => {
  // An unedited manifest contains the placeholder. Any other name was set intentionally.
  if (reported && reported !== registry) return reported;
  return isPlaceholder(registry) ? undefined : registry;
};

/** The default address of newer matrices, and the keys that the operator trusts by default. */
export const publishedMatrix = ({
  matrixUrl,
  publicKeys,
}: ReleaseSettings): { readonly defaultUrl?: string; readonly trustedKeys: readonly string[] } => ({
  // Without a key, nothing from that address could be trusted.
  ...(isPlaceholder(matrixUrl) || publicKeys.length === 0 ? {} : { defaultUrl: matrixUrl }),
  trustedKeys: publicKeys,
});
