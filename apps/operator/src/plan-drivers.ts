/** To be joined with packages/releases. */
export interface DriverPlan {
  readonly cpi?: unknown;
  readonly csi?: unknown;
}
