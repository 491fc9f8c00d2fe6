/** Prefix of the names of all objects that are created to test a vCenter. No other name may begin with it. */
export const trialPrefix = 'vdo-qualify-';
/** The cluster ID under which such volumes are registered. No real cluster has this ID. */
export const trialCluster = 'vdo-qualify';
/** Description of the tag category. */
export const trialDescription = 'Made by vdoctl vsphere qualify to try this vCenter out; it may be deleted.';

export const isTrialName = (name: string): boolean => name.startsWith(trialPrefix);
