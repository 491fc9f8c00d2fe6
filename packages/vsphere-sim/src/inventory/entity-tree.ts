import type { MoRef } from '@vdo/vsphere/wire/moref';

/** vCenter stores `%`, `/` and `\` of a name as %25, %2f and %5c. */
const inventoryName = (name: string): string =>
  name.replace(/[%/\\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);

/** The properties that every inventory object has. */
export const entityTree = (name: string, parent: MoRef | undefined) => ({
  ...(parent ? { parent } : {}),
  name: inventoryName(name),
  overallStatus: 'green',
  configStatus: 'green',
  value: [],
  availableField: [],
  customValue: [],
  effectiveRole: [-1],
  permission: [],
  disabledMethod: [],
  recentTask: [],
  alarmActionsEnabled: true,
});
