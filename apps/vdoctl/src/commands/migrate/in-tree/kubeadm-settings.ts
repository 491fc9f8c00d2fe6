import { readYaml } from '@vdo/base/yaml';
import { isMap, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';

/** Flags of the in-tree provider. */
const gone = new Set(['cloud-config', 'external-cloud-volume-plugin']);
const gates = /^(DisableCloudProviders|DisableKubeletCloudCredentialProviders|CSIMigration(vSphere)?)=false$/;

const withoutGates = (value: string): string =>
  value
    .split(',')
    .filter((gate) => !gates.test(gate.trim()))
    .join(',');

/** The new value of a flag, or undefined if it is removed. The API server no longer has a cloud provider. */
const changed = (section: string, name: string, value: string): string | undefined => {
  if (gone.has(name)) return undefined;
  if (name === 'cloud-provider' && value === 'vsphere') return section === 'controllerManager' ? 'external' : undefined;
  if (name === 'feature-gates') return withoutGates(value) || undefined;
  return value;
};

/** `extraArgs` is a map up to v1beta3, and a list of names and values in v1beta4. */
const changeArgs = (section: string, args: unknown): void => {
  if (isMap(args)) {
    const map = args as YAMLMap;
    for (const [name, value] of Object.entries(map.toJSON() as Readonly<Record<string, unknown>>)) {
      const next = changed(section, name, String(value));
      if (next === undefined) map.delete(name);
      else if (next !== String(value)) map.set(name, next);
    }
  } else if (isSeq(args)) {
    const list = args as YAMLSeq<YAMLMap>;
    list.items = list.items.filter((item) => {
      const next = changed(section, String(item.get('name')), String(item.get('value')));
      if (next !== undefined && next !== String(item.get('value'))) item.set('value', next);
      return next !== undefined;
    });
  }
};

const sections = ['apiServer', 'controllerManager'] as const;

/** The mount of the configuration file is kept: without the flag it is not read, so it does no harm. */
export const withoutInTree = (text: string): string => {
  const [document, ...others] = readYaml(text).documents;
  if (!document || others.length > 0) return text;
  const before = document.toString();
  for (const section of sections) changeArgs(section, document.getIn([section, 'extraArgs'], true));
  const after = document.toString();
  return after === before ? text : after;
};
