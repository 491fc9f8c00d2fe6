import { yamlValues } from '@vdo/base/yaml';
import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { Container, PodSpec } from '@vdo/kube/types/core';
import { renderImageProbe } from '@vdo/releases/render/shared/image-probe';
import { worlds } from '@vdo/releases/testing/rendered-worlds';
import { manifests, read } from '../docs/repository.ts';

export interface ShippedPod {
  /** Where it comes from, and its name. */
  readonly from: string;
  readonly name: string;
  readonly spec: PodSpec;
}

/** What Helm fills in is a word, and what it decides is left out: neither is a matter of the pod's rights. */
const withoutTemplates = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s*\{\{/.test(line))
    .join('\n')
    .replaceAll(/\{\{.*?\}\}/g, 'filled-in');

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every pod template in a document, however deep: OLM has Deployments within another kind. */
const templatesIn = (value: unknown, name = ''): readonly { readonly name: string; readonly spec: PodSpec }[] => {
  if (!isRecord(value)) return [];
  const metadata = value['metadata'];
  const own = [isRecord(metadata) ? metadata['name'] : undefined, value['name']].find((one) => typeof one === 'string');
  const called = typeof own === 'string' ? own : name;
  const spec = isRecord(value['template']) ? value['template']['spec'] : undefined;
  if (isRecord(spec) && Array.isArray(spec['containers'])) return [{ name: called, spec: spec as unknown as PodSpec }];
  return Object.values(value).flatMap((part) => templatesIn(part, called));
};

const shippedFiles = (): readonly ShippedPod[] =>
  manifests()
    .filter((file) => file.endsWith('.yaml') && !file.includes('/crds/') && /^ *containers:$/m.test(read(file)))
    .flatMap((file) =>
      yamlValues(withoutTemplates(read(file)))
        .flatMap((document) => templatesIn(document))
        .map((pod) => ({ from: file, ...pod })),
    );

const probeOf = (openShift: boolean): readonly ShippedPod[] => {
  const spec = vsphereDriversSpec.parse({
    distribution: 'Native',
    vcenters: [{ server: 'vc.example.com', credentialsSecret: 'vcenter' }],
    csi: {},
  });
  const objects = renderImageProbe(['registry.example.com/vdo/vdo:1'], {
    spec,
    namespace: 'vmware-system-vdo',
    openShift,
  });
  return objects
    .flatMap((object) => templatesIn(object))
    .map((pod) => ({ from: `image probe${openShift ? ' on OpenShift' : ''}`, ...pod }));
};

/** Every pod that anything of ours starts: what the operator renders in each world, and the files under deploy. */
export const allPods = (): readonly ShippedPod[] => [
  ...shippedFiles(),
  ...probeOf(false),
  ...probeOf(true),
  ...worlds.flatMap(([from, objects]) =>
    objects.flatMap((object) => templatesIn(object)).map((pod) => ({ from, ...pod })),
  ),
];

export const isOurs = ({ image }: Container): boolean => image.includes('vdo/vdo') || image === 'filled-in';
