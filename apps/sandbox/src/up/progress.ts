/** Tells a waiting person what is going on. */
export interface SandboxProgress {
  /** What is being done now; takes the place of what was told before. */
  update(text: string): void;
  /** Something is finished. */
  done(text: string): void;
}
