import type { ObjectMeta } from '@vdo/kube/types/object';

const marks: readonly { readonly manager: string; readonly key: RegExp; readonly value?: string }[] = [
  { manager: 'Helm', key: /^meta\.helm\.sh\/release-name$/ },
  { manager: 'Helm', key: /^app\.kubernetes\.io\/managed-by$/, value: 'Helm' },
  { manager: 'Argo CD', key: /^argocd\.argoproj\.io\/(tracking-id|instance)$/ },
  { manager: 'Flux', key: /^(kustomize|helm)\.toolkit\.fluxcd\.io\/name$/ },
  { manager: 'OLM', key: /^olm\.owner$/ },
];

/** The operator of the v1alpha1 kinds, which leaves no mark on the objects that it creates. */
export const formerManager = 'upstream VDO';

/** The tool that manages an object, recognized by its labels, annotations or field manager; undefined if there is none. */
export const foreignManagerOf = ({
  labels = {},
  annotations = {},
  managedFields = [],
}: ObjectMeta): string | undefined => {
  const entries = [...Object.entries(labels), ...Object.entries(annotations)];
  const marked = marks.find(({ key, value }) =>
    entries.some(([name, content]) => key.test(name) && (value === undefined || content === value)),
  );
  const applies = (name: string) => managedFields.some(({ manager = '' }) => manager === name);
  return marked?.manager ?? (applies('argocd-controller') ? 'Argo CD' : undefined);
};
