import { withoutTrailing } from '@vdo/base/cut-text';
import { VdoError } from '@vdo/base/vdo-error';
import type { CommandRun } from '../../cli/command-run.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { pushImage } from '../../shared/registry/copy-image.ts';
import { imagesOfLayout } from '../../shared/registry/image-blobs.ts';
import { openRegistry } from '../../shared/registry/open-registry.ts';
import { blobPathOf, isBlobPath, layoutIndexPath } from './carried-images.ts';
import type { BundleLoadFlags } from './commands.ts';
import { readValidBundle } from './verify.ts';

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const carriesNone = (file: string): VdoError =>
  new VdoError({
    code: 'InvalidArgument',
    message: `${file} contains no images`,
    remedy: 'Create it with --images FOLDER or --pull, or mirror the images as its README.md says.',
  });

/** vdoctl bundle load FILE */
export const loadBundle: CommandRun<BundleLoadFlags> = async (context, flags, [file = '']) => {
  const { index, entries } = await readValidBundle(context, file, flags.trust);
  const layout = entries.find(({ path }) => path === layoutIndexPath);
  if (!layout) throw carriesNone(file);
  const registry = withoutTrailing(flags.registry ?? index.registry, '/');
  const blobs = new Map(entries.filter(({ path }) => isBlobPath(path)).map(({ path, content }) => [path, content]));
  const { session, path } = await openRegistry(context, registry, flags);
  const images = [...imagesOfLayout(Buffer.from(layout.content).toString('utf8'))];
  for (const [position, [name, image]] of images.entries()) {
    const colon = name.lastIndexOf(':');
    let [sent, kept] = [0, 0];
    await pushImage(session, image, {
      repository: [path, name.slice(0, colon)].filter((part) => part !== '').join('/'),
      tag: name.slice(colon + 1),
      read: async (digest) => blobs.get(blobPathOf(digest)),
      onBlob: (size, isSent) => {
        if (isSent) sent += size;
        else kept += size;
        if (isSent && context.terminal.interactive) context.terminal.err(`  ${name}: ${megabytes(sent)} sent\n`);
      },
    });
    const was = kept === 0 ? '' : `, ${megabytes(kept)} was there`;
    context.terminal.err(`${position + 1} of ${images.length}  ${name}  ${megabytes(sent)} sent${was}\n`);
  }
  const other =
    registry === index.registry
      ? []
      : [
          `The manifests and drivers.yaml in the bundle name ${index.registry}: replace it with ${registry} in them.`,
          '',
        ];
  context.terminal.out(
    [
      `Loaded ${images.length} images into ${registry}. What follows from it:`,
      '',
      `  vdoctl install --registry ${registry}`,
      `  spec.images.registry: ${registry}    (in the VSphereDrivers resource)`,
      '',
      ...other,
    ].join('\n'),
  );
  return exitCodes.done;
};
