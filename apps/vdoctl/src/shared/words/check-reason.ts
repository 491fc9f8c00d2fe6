/** What a reason of a check means. One check may give several reasons, and several checks the same one. */
export interface CheckReason {
  /** The checks that give it. */
  readonly checks: readonly string[];
  readonly meaning: string;
  readonly remedy: string;
  /** Instead of the command that runs the checks. */
  readonly commands?: readonly string[];
}
