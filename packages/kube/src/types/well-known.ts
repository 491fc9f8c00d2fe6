/** Label with the name of the program that created an object. */
export const managedByLabel = 'app.kubernetes.io/managed-by';

/** A copy of the whole object, which kubectl stores at `kubectl apply`. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
