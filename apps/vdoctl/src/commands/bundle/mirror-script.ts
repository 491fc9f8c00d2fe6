import { withoutTrailing } from '@vdo/base/cut-text';
import { type BundleImage, isPlaced } from './images.ts';

/** Source registries of images whose names have no registry; absent: the script asks for them. */
export interface Sources {
  readonly images?: string;
  readonly vdo?: string;
}

export interface ScriptInput {
  readonly images: readonly BundleImage[];
  readonly registry: string;
  /** Repositories of the images of VDO. */
  readonly vdoRepositories: readonly string[];
  readonly sources: Sources;
}

const pinned = ({ tag, digest }: BundleImage): string => (digest === null ? `:${tag}` : `@${digest}`);

/** The source address of an image, as a shell expression. */
const sourceOf = (image: BundleImage, { vdoRepositories }: ScriptInput): string => {
  if (isPlaced(image)) return `${image.repository}${pinned(image)}`;
  const variable = vdoRepositories.includes(image.repository) ? 'VDO_SOURCE' : 'SOURCE';
  return `"$${variable}"/${image.repository}${pinned(image)}`;
};

const targetOf = ({ mirror }: BundleImage, { registry }: ScriptInput): string =>
  `"$MIRROR"${mirror.slice(withoutTrailing(registry, '/').length)}`;

/** `vdo_vdo:0.1.0`: a folder and a tag. */
const layoutOf = ({ repository, tag }: BundleImage): string => `images/${repository.replaceAll(/[/:]/g, '_')}:${tag}`;

const setSource = (variable: string, value: string | undefined, what: string): string =>
  value === undefined ? `: "\${${variable}:?set it to the registry that has ${what}}"` : `${variable}=${value}`;

const settings = (input: ScriptInput, withMirror: boolean): readonly string[] => {
  const bare = input.images.filter((image) => !isPlaced(image));
  const isVdo = ({ repository }: BundleImage): boolean => input.vdoRepositories.includes(repository);
  return [
    ...(bare.some(isVdo) ? [setSource('VDO_SOURCE', input.sources.vdo, 'the images of VDO')] : []),
    ...(bare.some((image) => !isVdo(image))
      ? [setSource('SOURCE', input.sources.images, 'the images of the drivers')]
      : []),
    ...(withMirror ? [`MIRROR=${input.registry}`] : []),
  ];
};

export type MirrorTool = 'skopeo' | 'oras' | 'ctr';

const copies: Readonly<Record<MirrorTool, (image: BundleImage, input: ScriptInput) => readonly string[]>> = {
  skopeo: (image, input) => [
    `skopeo copy --all --preserve-digests docker://${sourceOf(image, input)} docker://${targetOf(image, input)}`,
  ],
  oras: (image, input) => [`oras cp ${sourceOf(image, input)} ${targetOf(image, input)}`],
  ctr: (image, input) => [`ctr -n k8s.io images pull --all-platforms ${sourceOf(image, input)}`],
};

/** Commands for a machine that can reach both registries. */
export const copyCommands = (tool: 'skopeo' | 'oras', input: ScriptInput): readonly string[] => [
  ...settings(input, true),
  ...input.images.flatMap((image) => copies[tool](image, input)),
];

/** Commands that carry the images on a medium: first with internet access, then in the air-gapped network. */
export const carryCommands = (
  tool: MirrorTool,
  input: ScriptInput,
): { readonly outside: readonly string[]; readonly inside: readonly string[] } => {
  const { images } = input;
  if (tool === 'ctr') {
    const sources = images.map((image) => sourceOf(image, input));
    const tags = images.map((image) => `ctr -n k8s.io images tag ${sourceOf(image, input)} ${image.reference}`);
    return {
      outside: [
        ...settings(input, false),
        ...images.flatMap((image) => copies.ctr(image, input)),
        `ctr -n k8s.io images export --all-platforms images.tar ${sources.join(' ')}`,
      ],
      inside: [...settings(input, false), 'ctr -n k8s.io images import --all-platforms images.tar', ...tags],
    };
  }
  if (tool === 'oras') {
    return {
      outside: [
        ...settings(input, false),
        ...images.map((image) => `oras cp --to-oci-layout ${sourceOf(image, input)} ${layoutOf(image)}`),
      ],
      inside: [
        `MIRROR=${input.registry}`,
        ...images.map((image) => `oras cp --from-oci-layout ${layoutOf(image)} ${targetOf(image, input)}`),
      ],
    };
  }
  return {
    outside: [
      ...settings(input, false),
      'mkdir -p images',
      ...images.map(
        (image) => `skopeo copy --all --preserve-digests docker://${sourceOf(image, input)} oci:${layoutOf(image)}`,
      ),
    ],
    inside: [
      `MIRROR=${input.registry}`,
      ...images.map(
        (image) => `skopeo copy --all --preserve-digests oci:${layoutOf(image)} docker://${targetOf(image, input)}`,
      ),
    ],
  };
};
