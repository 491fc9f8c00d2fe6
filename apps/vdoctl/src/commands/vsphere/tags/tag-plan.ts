import { withoutTrailing } from '@vdo/base/cut-text';
import { VdoError } from '@vdo/base/vdo-error';
import type { TagOnObject } from '@vdo/vsphere/health/health-reader';
import { type MoRef, morefKey } from '@vdo/vsphere/wire/moref';

/** A tag that an object should have. */
export interface WantedTag {
  readonly ref: MoRef;
  readonly path: string;
  readonly category: string;
  readonly tag: string;
}

export type TagStep =
  | { readonly action: 'create-category'; readonly category: string }
  | { readonly action: 'create-tag'; readonly category: string; readonly tag: string }
  | {
      readonly action: 'attach-tag';
      readonly ref: MoRef;
      readonly object: string;
      readonly category: string;
      readonly tag: string;
      /** The tag of this category that is removed. */
      readonly instead?: string;
    };

export interface TagPlan {
  readonly steps: readonly TagStep[];
  readonly unchanged: number;
  readonly notes: readonly string[];
}

export interface TagFacts {
  /** Tag names by category name. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
  /** By `morefKey`. */
  readonly onObjects: ReadonlyMap<string, readonly TagOnObject[]>;
}

/** Node labels are made from tag names, so they must be valid label values. */
const labelPattern = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** `Data Center 1` → `Data-Center-1`. */
export const tagNameFor = (name: string): string =>
  withoutTrailing(
    name
      .replace(/[^-A-Za-z0-9_.]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 63),
    '-_.',
  );

/** `/DC/host/C1=zone-a`. */
export const parseAssignment = (text: string, flag: string): { readonly path: string; readonly tag: string } => {
  const at = text.lastIndexOf('=');
  const [path, tag] = [text.slice(0, at), text.slice(at + 1)];
  if (at > 0 && labelPattern.test(tag)) return { path, tag };
  throw new VdoError({
    code: 'InvalidArgument',
    message: `${flag} ${text}: expected PATH=TAG; the tag must be a valid node label: at most 63 letters, digits, - _ and .`,
    remedy: `Use the form ${flag} /DATACENTER/host/CLUSTER=zone-a.`,
  });
};

/** The changes that give every object its tag. An object with another tag of the category keeps it, unless `replace` is set. */
export const planTags = (
  wanted: readonly WantedTag[],
  facts: TagFacts,
  options: { readonly replace: boolean },
): TagPlan => {
  const present = ({ ref, category }: WantedTag): string | undefined =>
    facts.onObjects.get(morefKey(ref))?.find((one) => one.category === category)?.tag;
  const open = wanted.filter((one) => present(one) !== one.tag);
  const due = open.filter((one) => options.replace || present(one) === undefined);
  const categories = [...new Set(due.map(({ category }) => category))].filter((name) => !facts.tags.has(name));
  const tags = new Map(due.map((one) => [`${one.category}\n${one.tag}`, one]));
  const missing = [...tags.values()].filter(({ category, tag }) => !facts.tags.get(category)?.includes(tag));
  return {
    steps: [
      ...categories.map((category): TagStep => ({ action: 'create-category', category })),
      ...missing.map(({ category, tag }): TagStep => ({ action: 'create-tag', category, tag })),
      ...due.map((one): TagStep => {
        const { ref, path: object, category, tag } = one;
        const instead = present(one);
        return { action: 'attach-tag', ref, object, category, tag, ...(instead === undefined ? {} : { instead }) };
      }),
    ],
    unchanged: wanted.length - open.length,
    notes: open
      .filter((one) => !due.includes(one))
      .map((one) => `${one.path} keeps ${one.category} ${present(one)}; to change it to ${one.tag}, add --replace`),
  };
};
