/** The effect of a fault. */
export interface Broken {
  /** The affected object and its change, in one sentence. */
  readonly reported: string;
  /** Removes the fault; absent if its effect is temporary. */
  readonly heal?: () => Promise<void>;
}

export type Fault = () => Promise<Broken>;
