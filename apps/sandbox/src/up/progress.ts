/** Shows the progress of the sandbox. */
export interface SandboxProgress {
  /** The current activity; replaces the text before. */
  update(text: string): void;
  /** Something is finished. */
  done(text: string): void;
}
