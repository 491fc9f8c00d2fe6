/** What a check found that is not well, whoever judged it. */
export interface Finding {
  readonly id: string;
  readonly result: string;
  readonly reason: string;
  readonly message: string;
  readonly remedy: string;
}

/** One cause, and all that was found because of it. */
export interface Cause<F extends Finding> {
  readonly key: string;
  /** What was judged, or, if nothing of it could be judged, all of it. Never empty. */
  readonly findings: readonly [F, ...F[]];
  /** Checks that could not be judged because of it. */
  readonly hidden: number;
}

/** Checks that failed for one reason have one cause. Warnings of different checks are different matters. */
const causeOf = ({ id, result, reason }: Finding): string => (result === 'Warn' ? `${id} ${reason}` : reason);

/** Those that must be well before anything in vCenter can be judged. */
const isContact = ({ id }: Finding): boolean => /^(vcenter|credentials)\//.test(id);

const groupBy = <F extends Finding>(findings: readonly F[]): ReadonlyMap<string, F[]> => {
  const groups = new Map<string, F[]>();
  for (const finding of findings) groups.set(causeOf(finding), [...(groups.get(causeOf(finding)) ?? []), finding]);
  return groups;
};

/** The failure that keeps this from being judged: of the same reason, one that it names, or one of the way to vCenter. */
const culpritOf = <F extends Finding>(unjudged: F, failures: readonly F[]): F | undefined => {
  const named = failures.filter(({ id }) => unjudged.remedy.includes(id));
  const contacts = failures.filter(isContact);
  return (
    failures.find(({ reason }) => reason === unjudged.reason) ??
    named[0] ??
    contacts[0] ??
    // Whatever else is wrong, only one thing is.
    (new Set(failures.map(causeOf)).size === 1 ? failures[0] : undefined)
  );
};

/**
 * Findings by cause, in the order given: one cause, one message. What could not be judged because of a failure is counted under it.
 * `unjudgedInAll` counts also those that are not among the findings because a status names 50 at most.
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
