import { type CheckGroup, checkGroups } from './check.ts';

/** The two letters that named each group before 0.2. People, scripts and the status of an older operator still use them. */
const groupsByLetters: Readonly<Record<string, CheckGroup>> = {
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

/** The group with this name in either spelling, upper or lower case. */
export const findGroup = (name: string): CheckGroup | undefined =>
  groupsByLetters[name.toUpperCase()] ?? checkGroups.find((group) => group === name.toLowerCase());

/** The ID in today's spelling: `ST/free-space` becomes `storage/free-space`. Other texts are returned unchanged. */
export const currentCheckId = (id: string): string => {
  const slash = id.indexOf('/');
  const group = slash < 0 ? undefined : findGroup(id.slice(0, slash));
  return group === undefined ? id : `${group}${id.slice(slash).toLowerCase()}`;
};
