/** A result of a check that is not Pass, whichever program ran the check. */
export interface Finding {
  readonly id: string;
  readonly result: string;
  readonly reason: string;
  readonly message: string;
  readonly remedy: string;
}

/** One cause, and all findings because of it. */
export interface Cause<F extends Finding> {
  readonly key: string;
  /** The checks that ran, or, if none could run, all of them. Never empty. */
  readonly findings: readonly [F, ...F[]];
  /** Checks that could not run because of it. */
  readonly hidden: number;
}

/** Checks that failed for the same reason have one cause. Warnings of different checks are separate. */
const causeOf = ({ id, result, reason }: Finding): string => (result === 'Warn' ? `${id} ${reason}` : reason);

/** Checks that must pass before anything in vCenter can be checked. */
const isContact = ({ id }: Finding): boolean => /^(vcenter|credentials)\//.test(id);

const groupBy = <F extends Finding>(findings: readonly F[]): ReadonlyMap<string, F[]> => {
  const groups = new Map<string, F[]>();
  for (const finding of findings) groups.set(causeOf(finding), [...(groups.get(causeOf(finding)) ?? []), finding]);
  return groups;
};

/** The failure that prevents this check: one with the same reason, one that it names, or one of the connection to vCenter. */
const culpritOf = <F extends Finding>(unjudged: F, failures: readonly F[]): F | undefined => {
  const named = failures.filter(({ id }) => unjudged.remedy.includes(id));
  const contacts = failures.filter(isContact);
  return (
    failures.find(({ reason }) => reason === unjudged.reason) ??
    named[0] ??
    contacts[0] ??
    // If there is only one failure, it is the cause.
    (new Set(failures.map(causeOf)).size === 1 ? failures[0] : undefined)
  );
};

/**
 * Findings by cause, in the given order: one cause, one message. Checks that could not run because of a failure are counted under it.
 * `unjudgedInAll` also counts those that are not among the findings because a status lists at most 50.
 */
export const causesOf = <F extends Finding>(findings: readonly F[], unjudgedInAll = 0): readonly Cause<F>[] => {
  const judged = findings.filter(({ result }) => result !== 'Unknown');
  const unjudged = findings.filter(({ result }) => result === 'Unknown');
  const failures = judged.filter(({ result }) => result === 'Fail');
  const hidden = new Map<string, number>();
  const left: F[] = [];
  for (const one of unjudged) {
    const culprit = culpritOf(one, failures);
    if (culprit) hidden.set(causeOf(culprit), (hidden.get(causeOf(culprit)) ?? 0) + 1);
    else left.push(one);
  }
  const unnamed = Math.max(0, unjudgedInAll - unjudged.length);
  const [most] = [...hidden].sort(([, one], [, other]) => other - one);
  const heir = most?.[0] ?? (failures[0] && causeOf(failures[0]));
  if (heir !== undefined && unnamed > 0) hidden.set(heir, (hidden.get(heir) ?? 0) + unnamed);
  return [...groupBy([...judged, ...left])].flatMap(([key, [first, ...rest]]) =>
    first ? [{ key, findings: [first, ...rest] as const, hidden: hidden.get(key) ?? 0 }] : [],
  );
};
