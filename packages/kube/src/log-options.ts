/** Which part of a container's log. */
export interface LogOptions {
  readonly signal?: AbortSignal;
  readonly container?: string;
  /** Lines from the end. Default: all. */
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  /** Of the container before its last restart. */
  readonly previous?: boolean;
  /** Continues with new lines until the signal is aborted. */
  readonly follow?: boolean;
}
