import { carryCommands, copyCommands, type MirrorTool, type ScriptInput } from './mirror-script.ts';

export interface ReadmeInput extends ScriptInput {
  /** `Native CPI 0.1.0, Native CSI 0.1.0 for Kubernetes 1.34.1`. */
  readonly headline: string;
  /** Describes the matrix. */
  readonly matrix: string;
  readonly isSigned: boolean;
  /** Whether the whole bundle is signed. */
  readonly isBundleSigned: boolean;
  /** Whether the images are in the bundle. */
  readonly isCarried: boolean;
  readonly namespace: string;
  readonly matrixConfigMap: string;
  readonly operatorVersion: string;
  readonly operatorImage: string;
}

const shell = (commands: readonly string[]): readonly string[] => ['```sh', ...commands, '```', ''];

const imageRows = ({ images }: ReadmeInput): readonly string[] => [
  '| Image | Digest | Name in the mirror |',
  '|---|---|---|',
  ...images.map(
    ({ repository, tag, digest, mirror }) => `| ${repository}:${tag} | ${digest ?? 'not published'} | ${mirror} |`,
  ),
  '',
];

const carry = (tool: MirrorTool, where: string, input: ReadmeInput): readonly string[] => {
  const { outside, inside } = carryCommands(tool, input);
  return [`With ${tool}, on a machine with internet access:`, '', ...shell(outside), `${where}:`, '', ...shell(inside)];
};

const matrixSteps = ({ isSigned, matrix, namespace, matrixConfigMap }: ReadmeInput): readonly string[] =>
  isSigned
    ? [
        `${matrix} Verify it with the public key of its publisher, then create a ConfigMap from it. Get the key from another source than this bundle.`,
        '',
        ...shell([
          'vdoctl matrix verify matrix/matrix.json --trust publisher.pem',
          `kubectl -n ${namespace} create configmap ${matrixConfigMap} --from-file=matrix/matrix.json --from-file=matrix/matrix.json.sig`,
        ]),
        'drivers.yaml refers to it in spec.updates.matrix. Add the key to spec.updates.trustedKeys in drivers.yaml if it is not listed yet.',
        '',
      ]
    : [`${matrix} It is built into the operator image, so it needs no separate signature.`, ''];

/** The README of a bundle, command by command. */
export const bundleReadme = (input: ReadmeInput): string =>
  [
    `# Install VDO without internet access: ${input.headline}`,
    '',
    ...(input.isBundleSigned
      ? [
          'This bundle was created by vdoctl bundle create. First verify its signature with the public key of its creator. Get the key from another source than this bundle.',
          '',
          ...shell(['vdoctl bundle verify FILE --trust maker.pem']),
        ]
      : [
          'This bundle was created by vdoctl bundle create. First verify that it was copied without damage. It is not signed, so a deliberate change is not detected (to sign a bundle: vdoctl bundle create --sign private.pem).',
          '',
          ...shell(['vdoctl bundle verify FILE']),
        ]),
    '## 1. Mirror the images',
    '',
    ...imageRows(input),
    ...(input.isCarried
      ? [
          'The images are in this bundle. This copies them to the mirror; if it is interrupted, run it again, and it goes on where it stopped:',
          '',
          ...shell([`vdoctl bundle load FILE --registry ${input.registry} --user USER --ca-file ca.pem`]),
          'Leave out --user if the registry needs no login, and --ca-file if the machine trusts its certificate. The rest of this section is for those who copy the images in another way.',
          '',
        ]
      : []),
    'On a machine that can reach both registries, with skopeo:',
    '',
    ...shell(copyCommands('skopeo', input)),
    'Or with oras:',
    '',
    ...shell(copyCommands('oras', input)),
    'If no machine can reach both registries, copy the images to a medium.',
    '',
    ...carry('skopeo', 'Then in the air-gapped network', input),
    ...carry('oras', 'Then in the air-gapped network', input),
    'Without a registry, import the images into containerd on each node (spec.images.pullPolicy: Never).',
    '',
    ...carry('ctr', 'Then on each node', input),
    '## 2. Install the operator',
    '',
    ...shell([
      `vdoctl install --image ${input.operatorImage} --operator-version ${input.operatorVersion} --registry ${input.registry}`,
    ]),
    'manifests/operator.yaml contains the same objects, for kubectl apply --server-side.',
    '',
    '## 3. The compatibility matrix',
    '',
    ...matrixSteps(input),
    '## 4. Install the drivers',
    '',
    `drivers.yaml is the VSphereDrivers resource. spec.images.registry is ${input.registry}, and the driver versions are those of the images above:`,
    '',
    ...shell(['kubectl apply --server-side -f drivers.yaml', 'vdoctl status --watch']),
    'Create the Secrets that it refers to: this bundle contains no accounts. To review what the operator will apply, read manifests/drivers.',
    '',
  ].join('\n');
