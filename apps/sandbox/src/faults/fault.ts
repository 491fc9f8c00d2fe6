/** What a fault did. */
export interface Broken {
  /** Which object was struck, and how: one sentence. */
  readonly reported: string;
  /** Undoes it; absent if it passes by itself. */
  readonly heal?: () => Promise<void>;
}

export type Fault = () => Promise<Broken>;
