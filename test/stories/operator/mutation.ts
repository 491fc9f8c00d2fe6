/** A fault as it was, planted again, and the story that must notice it. */
export interface Mutation {
  /** The item of issue 17. */
  readonly item: number;
  readonly fault: string;
  readonly file: string;
  readonly search: string;
  readonly replace: string;
  readonly test: string;
  /** Part of the test's name. */
  readonly name: string;
}
