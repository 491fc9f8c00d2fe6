import type { KubeObject } from '@vdo/kube/types/object';
import { stringify } from 'yaml';

/** Objects as one YAML file, ready for kubectl apply. */
export const manifestYaml = (objects: readonly KubeObject[]): string =>
  objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
