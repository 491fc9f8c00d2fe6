/** Label with the name of the program that made an object. */
export const managedByLabel = 'app.kubernetes.io/managed-by';

/** Group of VolumeSnapshot and its kin, which Kubernetes itself does not serve. */
export const snapshotGroup = 'snapshot.storage.k8s.io';
