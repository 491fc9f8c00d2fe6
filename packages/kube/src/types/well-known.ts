/** Label with the name of the program that made an object. */
export const managedByLabel = 'app.kubernetes.io/managed-by';

/** The whole object once more, which kubectl keeps of the last `kubectl apply`. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
