/** What everything that is made to try a vCenter out is called: nothing else may begin so. */
export const trialPrefix = 'vdo-qualify-';
/** The container cluster that such volumes are registered under. It is no cluster, and no cluster has such an id. */
export const trialCluster = 'vdo-qualify';
/** What the tag category says of itself. */
export const trialDescription = 'Made by vdoctl vsphere qualify to try this vCenter out; it may be deleted.';

export const isTrialName = (name: string): boolean => name.startsWith(trialPrefix);
