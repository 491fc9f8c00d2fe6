import { VdoError } from '@vdo/base/vdo-error';

export interface Problem {
  /** Errors refuse the file; warnings are logged. */
  readonly severity: 'error' | 'warning';
  /** Counted from 1; absent if the problem has no line, such as a missing section. */
  readonly line?: number;
  /** The subject of the problem, such as `vcenter.east.port`. */
  readonly field: string;
  /** The observed and the expected value. Never a password. */
  readonly message: string;
  /** The edit. */
  readonly remedy: string;
}

/** `line 4: vcenter.east.port: …`, for logs. */
export const describeProblem = ({ line, field, message }: Problem): string =>
  `${line === undefined ? '' : `line ${line}: `}${field}: ${message}`;

/** Collects all problems of a file, so that they are reported together. */
export interface ProblemList {
  error(problem: Omit<Problem, 'severity'>): void;
  warn(problem: Omit<Problem, 'severity'>): void;
  readonly all: readonly Problem[];
}

export const createProblemList = (): ProblemList => {
  const all: Problem[] = [];
  return {
    error: (problem) => void all.push({ ...problem, severity: 'error' }),
    warn: (problem) => void all.push({ ...problem, severity: 'warning' }),
    all,
  };
};

const byLine = (left: Problem, right: Problem): number => (left.line ?? 0) - (right.line ?? 0);

export const warningsOf = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ severity }) => severity === 'warning').sort(byLine);

/** VdoError ConfigInvalid that lists all errors of a file; undefined if there are only warnings. */
export const configInvalid = (source: string, problems: readonly Problem[]): VdoError | undefined => {
  const errors = problems.filter(({ severity }) => severity === 'error').sort(byLine);
  if (errors.length === 0) return undefined;
  const list = errors.map((problem) => `\n  ${describeProblem(problem)}`).join('');
  return new VdoError({
    code: 'ConfigInvalid',
    message: `${source} has ${errors.length === 1 ? 'a problem' : `${errors.length} problems`}:${list}`,
    remedy: [
      ...new Set(errors.map(({ line, remedy }) => (line === undefined ? remedy : `Line ${line}: ${remedy}`))),
    ].join('\n'),
    details: { source, problems: errors },
  });
};
