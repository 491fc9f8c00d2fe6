/** The state during an undo. Read only then. */
export interface BackFacts {
  /** Objects that differ from before. */
  readonly unlike: readonly string[];
  /** Native drivers run; the previous drivers must take over from them before the operator stops. */
  readonly runsNative: boolean;
  /** The backup contains the previous drivers. */
  readonly hasDrivers: boolean;
}
