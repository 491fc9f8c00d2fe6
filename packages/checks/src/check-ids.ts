import { type CheckGroup, checkGroups } from './check.ts';

/** The two letters that named each group before 0.2. People, scripts and an older operator's status still use them. */
const formerGroups: Readonly<Record<string, CheckGroup>> = {
  VC: 'vcenter',
  CR: 'credentials',
  PR: 'privileges',
  ND: 'node',
  TP: 'topology',
  ST: 'storage',
  CS: 'csi',
  VR: 'versions',
  CL: 'cluster',
};

/** The group of this name in either spelling, in any case. */
export const findGroup = (name: string): CheckGroup | undefined =>
  formerGroups[name.toUpperCase()] ?? checkGroups.find((group) => group === name.toLowerCase());

/** The id as it is spelled now: `ST/free-space` becomes `storage/free-space`. Anything else is returned as it is. */
export const currentCheckId = (id: string): string => {
  const slash = id.indexOf('/');
  const group = slash < 0 ? undefined : findGroup(id.slice(0, slash));
  return group === undefined ? id : `${group}${id.slice(slash).toLowerCase()}`;
};
