import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { withoutTrailing } from '@vdo/base/cut-text';
import { VdoError } from '@vdo/base/vdo-error';
import { configMaps } from '@vdo/kube/types/core';
import { embeddedSource } from '@vdo/releases/load-matrix';
import { parseMatrix } from '@vdo/releases/matrix';
import { signMatrix, verifyMatrix } from '@vdo/releases/matrix-signature';
import type { CommandRun } from '../../cli/command-run.ts';
import type { CliContext } from '../../cli/context.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { tar } from '../../shared/archive/tar.ts';
import { withCluster } from '../../shared/cluster/open-cluster.ts';
import { matrixLine } from '../../shared/releases/matrix-in-use.ts';
import { readSigned } from '../../shared/releases/read-signed.ts';
import { trustedKeys } from '../../shared/releases/trusted-keys.ts';
import { readWorld, type World } from '../../shared/releases/world.ts';
import { type BundleInput, bundleFiles, ownRepositories } from './bundle-files.ts';
import { blobPathOf, layoutTexts, nameInBundle } from './carried-images.ts';
import type { BundleCreateFlags } from './commands.ts';
import { gatherImages } from './gather-images.ts';
import { type BundleImage, isPlaced } from './images.ts';

type Packed = Pick<BundleInput, 'world' | 'signed'>;

/** The matrix given with --matrix, which replaces the one that was found. */
const withGivenMatrix = async (
  context: CliContext,
  flags: BundleCreateFlags,
  { source, world }: { readonly source: string; readonly world: World },
): Promise<Packed> => {
  const { trust, ...rest } = flags;
  const keys = await trustedKeys(context, trust.length === 0 ? rest : flags);
  const { matrix, text, signature } = await readSigned(context, source, { trustedKeys: keys });
  // The path on this machine is not written into the bundle.
  const name = /^https?:/.test(source) ? source : basename(source);
  return {
    world: { ...world, chosen: { matrix, source: name, usedBy: 'file', note: '' } },
    signed: { text, signature },
  };
};

/** The operator stores the matrix without its signature; a ConfigMap source still has both. */
const withStoredSignature = async (context: CliContext, flags: BundleCreateFlags, world: World): Promise<Packed> => {
  const { matrix: pointer, trustedKeys: keys } = world.resource.spec.updates;
  const stored = pointer?.configMap;
  if (world.chosen.usedBy !== 'operator' || !stored) return { world };
  return withCluster(context, flags, async ({ kube, namespace }) => {
    const found = await kube.find(configMaps, { namespace, name: stored.name }, { signal: context.signal });
    const key = stored.key ?? 'matrix.json';
    const [text, signature] = [found?.data?.[key], found?.data?.[`${key}.sig`]];
    if (text === undefined || signature === undefined) return { world };
    const source = `ConfigMap ${stored.name}`;
    verifyMatrix({ text, signature, trustedKeys: keys, source });
    const isSame = parseMatrix(text, source).serial === world.chosen.matrix.serial;
    return isSame ? { world, signed: { text, signature } } : { world };
  });
};

/** The operator accepts only its built-in matrix without a signature. */
const requireSignature = ({ world, signed }: Packed): void => {
  const { matrix, source, usedBy } = world.chosen;
  if (signed || usedBy === 'vdoctl' || source === embeddedSource) return;
  throw new VdoError({
    code: 'InvalidArgument',
    message: `matrix ${matrix.serial} from ${source} is in use, but the cluster does not have its signature; the operator refuses an unsigned matrix`,
    remedy: "Pass the signed matrix and the publisher's public key: --matrix SOURCE --trust publisher.pem",
  });
};

const readSigningKey = async (file: string): Promise<string> => {
  try {
    const pem = await readFile(file, 'utf8');
    // Sign something now, so that a wrong type of key is reported before anything is written.
    signMatrix('', [pem]);
    return pem;
  } catch (cause) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: `${file} does not contain a private Ed25519 key: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy:
        'Create a key: openssl genpkey -algorithm ed25519 -out maker.key. Write its public key: openssl pkey -in maker.key -pubout',
      cause,
    });
  }
};

const writeNew = async (path: string, content: Uint8Array): Promise<void> => {
  try {
    await writeFile(path, content, { flag: 'wx' });
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new VdoError({
      code: 'InvalidArgument',
      message: exists ? `${path} already exists` : `cannot write ${path}: ${why}`,
      remedy: exists ? 'Choose another file with --output.' : 'Choose a file in a writable folder with --output.',
      cause,
    });
  }
};

/** The registry and repository that an image is pulled from: its own, or what the flags name for it. */
const sourceOf =
  ({ from, vdoFrom }: BundleCreateFlags, own: readonly string[]) =>
  (image: BundleImage) => {
    const { repository } = image;
    if (isPlaced(image)) return repository;
    const source = own.includes(repository) ? vdoFrom : from;
    return source === undefined ? undefined : `${withoutTrailing(source, '/')}/${repository}`;
  };

/** The files and blobs of the images that the bundle is to carry; empty without --images and --pull. */
const carry = async (context: CliContext, flags: BundleCreateFlags, input: BundleInput) => {
  if (flags.images.length === 0 && !flags.pull) return { blobs: [] };
  const { images: wanted } = bundleFiles(input).index;
  const from = sourceOf(flags, ownRepositories(input));
  const { images, blobs } = await gatherImages(context, wanted, { flags, sourceOf: from });
  const names = images.map(([image, descriptor]) => [nameInBundle(image, input.registry), descriptor] as const);
  const sorted = [...blobs].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    carried: layoutTexts(names),
    blobs: sorted.map(([digest, content]) => ({ path: blobPathOf(digest), content })),
  };
};

const imagesWord = (count: number): string => `${count} ${count === 1 ? 'image' : 'images'}`;

/** vdoctl bundle create */
export const createBundle: CommandRun<BundleCreateFlags> = async (context, flags) => {
  const { matrix: source, from, vdoFrom, registry, namespace, image } = flags;
  const world = await readWorld(context, { ...flags, withCredentials: false });
  const packed =
    source === undefined
      ? await withStoredSignature(context, flags, world)
      : await withGivenMatrix(context, flags, { source, world });
  requireSignature(packed);
  const input: BundleInput = {
    ...packed,
    registry,
    namespace,
    operator: { image, version: flags.operatorVersion ?? context.version },
    sources: { ...(from === undefined ? {} : { images: from }), ...(vdoFrom === undefined ? {} : { vdo: vdoFrom }) },
    vdoctl: context.version,
    ...(flags.sign === undefined ? {} : { signingKey: await readSigningKey(flags.sign) }),
  };
  const { carried, blobs } = await carry(context, flags, input);
  const { index, files } = bundleFiles(carried ? { ...input, carried } : input);
  const entries = [...files.map(({ path, text }) => ({ path, content: Buffer.from(text) })), ...blobs];
  // The date of the matrix instead of the current time: the same input gives the same bytes.
  const seconds = Date.parse(packed.world.chosen.matrix.published) / 1000;
  await writeNew(flags.output, tar(entries, { seconds }));
  context.terminal.out(`${flags.output}\n`);
  context.terminal.err(
    `${files.length} files, ${imagesWord(index.images.length)} ${carried ? 'inside' : 'to mirror'}. ${matrixLine(packed.world.chosen)}\nNext: follow the README.md in the bundle: tar -xOf ${flags.output} README.md\n`,
  );
  return exitCodes.done;
};
