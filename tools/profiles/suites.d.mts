export interface Suite {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  readonly files: readonly string[];
  readonly releases: readonly string[];
  readonly start?: (release: string) => string;
  readonly vcsim?: readonly string[];
}
export const releases: readonly string[];
export const suites: readonly Suite[];
