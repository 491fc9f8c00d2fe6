import type { VSphereDriversStatus } from '@vdo/config/api/vsphere-drivers-status';

export interface Reporter {
  /** A step has begun. */
  step(title: string): void;
  /** Something worth a line happened within the step. */
  note(text: string): void;
  /** The step is done. */
  done(text: string): void;
  line(text?: string): void;
}

/** Plain lines with the time since the start: readable on a terminal and in a log file alike. */
export const createReporter = (options: {
  readonly write: (text: string) => void;
  readonly elapsedMs: () => number;
}): Reporter => {
  const line = (text = '') => options.write(`${text}\n`);
  const seconds = () => `${(options.elapsedMs() / 1000).toFixed(1).padStart(5)} s`;
  return {
    step: (title) => line(`${seconds()}  ${title}`),
    note: (text) => line(`${seconds()}  - ${text}`),
    done: (text) => line(`         ok ${text}`),
    line,
  };
};

/** The conditions as a table, one line each, and messages only where something is not as it should be. */
export const statusTable = (status: VSphereDriversStatus | undefined): readonly string[] => {
  const conditions = status?.conditions ?? [];
  const width = Math.max(0, ...conditions.map(({ type }) => type.length));
  const reasonWidth = Math.max(0, ...conditions.map(({ reason }) => reason.length));
  return conditions.map(({ type, status: state, reason, message }) =>
    `${type.padEnd(width)}  ${state.padEnd(7)}  ${reason.padEnd(reasonWidth)}  ${message}`.trimEnd(),
  );
};
