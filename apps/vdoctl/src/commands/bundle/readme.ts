import { carryCommands, copyCommands, type MirrorTool, type ScriptInput } from './mirror-script.ts';

export interface ReadmeInput extends ScriptInput {
  /** `Native CPI 0.1.0, Native CSI 0.1.0 for Kubernetes 1.34.1`. */
  readonly headline: string;
  /** About the matrix. */
  readonly matrix: string;
  readonly isSigned: boolean;
  /** Whether the whole bundle is signed. */
  readonly isVouchedFor: boolean;
  readonly namespace: string;
  readonly matrixConfigMap: string;
  readonly operatorVersion: string;
  readonly operatorImage: string;
}

const shell = (commands: readonly string[]): readonly string[] => ['```sh', ...commands, '```', ''];

const imageRows = ({ images }: ReadmeInput): readonly string[] => [
  '| image | digest | in the mirror |',
  '|---|---|---|',
  ...images.map(
    ({ repository, tag, digest, mirror }) => `| ${repository}:${tag} | ${digest ?? 'not published'} | ${mirror} |`,
  ),
  '',
];

const carry = (tool: MirrorTool, where: string, input: ReadmeInput): readonly string[] => {
  const { outside, inside } = carryCommands(tool, input);
  return [`With ${tool}, outside:`, '', ...shell(outside), `${where}:`, '', ...shell(inside)];
};

const matrixSteps = ({ isSigned, matrix, namespace, matrixConfigMap }: ReadmeInput): readonly string[] =>
  isSigned
    ? [
        `${matrix} Verify it with the public key of its publisher, which comes by another way than this file, and give it to the cluster:`,
        '',
        ...shell([
          'vdoctl matrix verify matrix/matrix.json --trust publisher.pem',
          `kubectl -n ${namespace} create configmap ${matrixConfigMap} --from-file=matrix/matrix.json --from-file=matrix/matrix.json.sig`,
        ]),
        'drivers.yaml names it in spec.updates.matrix. Add the key to its spec.updates.trustedKeys, unless it is there.',
        '',
      ]
    : [`${matrix} It has no signature of its own: the operator has it in its image, and needs no other.`, ''];

/** What to do with a bundle, command by command. */
export const bundleReadme = (input: ReadmeInput): string =>
  [
    `# VDO without internet: ${input.headline}`,
    '',
    ...(input.isVouchedFor
      ? [
          'Made by vdoctl bundle create. Check first that it is what was signed, with the public key of whoever made it, which comes by another way than this file:',
          '',
          ...shell(['vdoctl bundle verify FILE --trust maker.pem']),
        ]
      : [
          'Made by vdoctl bundle create. Check first that it arrived whole. Nobody has signed it: that it was not changed on purpose is not shown by this (vdoctl bundle create --sign private.pem).',
          '',
          ...shell(['vdoctl bundle verify FILE']),
        ]),
    '## 1. Mirror the images',
    '',
    ...imageRows(input),
    'From a machine that reaches both registries, with skopeo:',
    '',
    ...shell(copyCommands('skopeo', input)),
    'or with oras:',
    '',
    ...shell(copyCommands('oras', input)),
    'Where no machine reaches both, the images are carried on a medium.',
    '',
    ...carry('skopeo', 'Then inside', input),
    ...carry('oras', 'Then inside', input),
    'Without any registry, each node gets the images into its containerd (spec.images.pullPolicy: Never).',
    '',
    ...carry('ctr', 'Then on each node', input),
    '## 2. Install the operator',
    '',
    ...shell([
      `vdoctl install --image ${input.operatorImage} --operator-version ${input.operatorVersion} --registry ${input.registry}`,
    ]),
    'manifests/operator.yaml holds the same objects for kubectl apply --server-side.',
    '',
    '## 3. The compatibility matrix',
    '',
    ...matrixSteps(input),
    '## 4. Tell the operator what to run',
    '',
    `drivers.yaml is the VSphereDrivers resource with spec.images.registry set to ${input.registry}, and with exactly the releases whose images are above:`,
    '',
    ...shell(['kubectl apply --server-side -f drivers.yaml', 'vdoctl status --watch']),
    'The Secrets that it names hold accounts, and are not in this bundle. manifests/drivers holds what the operator will apply, to be looked at before.',
    '',
  ].join('\n');
