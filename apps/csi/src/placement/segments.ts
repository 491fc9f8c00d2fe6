/** A topology segment by its labels, such as `{ 'topology.csi.vmware.com/k8s-zone': 'zone-a' }`. */
export type Segments = Readonly<Record<string, string>>;

/** True if an object with these labels is in the segment. */
export const within = (labels: Readonly<Record<string, string>>, place: Segments): boolean =>
  Object.entries(place).every(([key, value]) => labels[key] === value);

export const describeSegments = (place: Segments): string =>
  Object.entries(place)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
