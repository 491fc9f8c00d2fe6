/**
 * The numbers of a product version. Vendors append text that does not affect compatibility: v1.30.3+rke2r1,
 * v1.29.8-eks-a737599, 1.27.3-gke.100, 8.0.3.00100. Undefined if the text does not begin with a number.
 */
export const productNumbers = (text: string): readonly [number, number, number] | undefined => {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text.trim());
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
};

/** The version fields that a vCenter reports. */
export interface VCenterProduct {
  readonly version: string;
  readonly apiVersion: string;
}

/**
 * The vCenter version that determines compatibility. vCenter 6.7 Update 3 reports 6.7.0 and shows the update only in
 * the version of its API (6.7.3); later versions report it in both.
 */
export const vcenterVersionOf = (about: VCenterProduct): string => {
  const product = productNumbers(about.version);
  const api = productNumbers(about.apiVersion);
  if (!product || !api || product[0] !== api[0] || product[1] !== api[1]) return about.version;
  return api[2] > product[2] ? api.join('.') : about.version;
};

/**
 * True for a vCenter version that no release supports but that is not refused either: 6.5 is the version of govmomi's simulator,
 * which developers use like a vCenter. It is unsupported, and a warning says so.
 */
export const isUntriedVCenter = (version: string): boolean => {
  const [major, minor = 0] = productNumbers(version) ?? [];
  return major === 6 && minor >= 5 && minor < 7;
};

/** As VMware writes it: `6.7 Update 3`, `8.0`; since 9.0 the number alone. */
export const vcenterRelease = (version: string): string => {
  const numbers = productNumbers(version);
  if (!numbers) return version;
  const [major, minor, update] = numbers;
  if (update === 0) return `${major}.${minor}`;
  return major < 9 ? `${major}.${minor} Update ${update}` : numbers.join('.');
};
