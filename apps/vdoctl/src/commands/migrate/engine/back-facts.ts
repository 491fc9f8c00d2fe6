/** How things stand on the way back. Read only there. */
export interface BackFacts {
  /** Objects that are not as they were. */
  readonly unlike: readonly string[];
  /** Drivers of this project run, which the former ones must follow before the operator stops. */
  readonly runsNative: boolean;
  /** The former drivers are kept in the backup. */
  readonly hasDrivers: boolean;
}
