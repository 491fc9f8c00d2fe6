/** A place by its topology labels, such as `{ 'topology.csi.vmware.com/k8s-zone': 'zone-a' }`. */
export type Segments = Readonly<Record<string, string>>;

/** True if something with these labels lies in the place. */
export const within = (labels: Readonly<Record<string, string>>, place: Segments): boolean =>
  Object.entries(place).every(([key, value]) => labels[key] === value);

export const describeSegments = (place: Segments): string =>
  Object.entries(place)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
