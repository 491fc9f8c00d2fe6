import type { z } from 'zod';
import { configInvalid, createProblemList, type ProblemList } from '../problems.ts';
import { type VSphereDrivers, type VSphereDriversMeta, vsphereDriversSpec } from './vsphere-drivers.ts';
import { type ValidationRule, vsphereDriversRules } from './vsphere-drivers-rules.ts';

/** An object from the API server or a file. */
export interface UncheckedDrivers {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: VSphereDriversMeta;
  readonly spec?: unknown;
  readonly status?: VSphereDrivers['status'];
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`),
    'spec',
  );

const reportIssue = (issue: z.core.$ZodIssue, problems: ProblemList): void => {
  const field = fieldOf(issue.path);
  problems.error({ field, message: issue.message, remedy: `Correct ${field} of the VSphereDrivers resource.` });
};

/** The values to which a rule applies: `[]` in its path stands for each item. */
const valuesAt = (root: unknown, path: string): readonly { readonly value: unknown; readonly field: string }[] => {
  const steps = path === '' ? [] : path.replaceAll('[]', '.[]').split('.');
  return steps.reduce<readonly { readonly value: unknown; readonly field: string }[]>(
    (found, step) =>
      found.flatMap(({ value, field }) => {
        if (step === '[]')
          return Array.isArray(value) ? value.map((item, index) => ({ value: item, field: `${field}[${index}]` })) : [];
        const next = (value as Readonly<Record<string, unknown>>)[step];
        return next === undefined ? [] : [{ value: next, field: field === '' ? step : `${field}.${step}` }];
      }),
    [{ value: root, field: '' }],
  );
};

const reportRule = (rule: ValidationRule, drivers: VSphereDrivers, problems: ProblemList): void => {
  for (const { value, field } of valuesAt(drivers, rule.path)) {
    if (rule.holds(value as never)) continue;
    const blamed = `${field}${rule.fieldPath ?? ''}` || 'metadata.name';
    problems.error({
      field: blamed,
      message: rule.message,
      remedy: `${rule.message.slice(0, 1).toUpperCase()}${rule.message.slice(1)}.`,
    });
  }
};

/**
 * Checks an object against schema and rules and sets the defaults, with the same result as the API server, for
 * files that were never sent to one. Throws VdoError ConfigInvalid with all problems.
 */
export const parseVSphereDrivers = (object: UncheckedDrivers): VSphereDrivers => {
  const problems = createProblemList();
  const parsed = vsphereDriversSpec.safeParse(object.spec ?? {});
  const source = `VSphereDrivers ${object.metadata.name ?? ''}`.trim();
  if (!parsed.success) {
    for (const issue of parsed.error.issues) reportIssue(issue, problems);
    throw configInvalid(source, problems.all) ?? parsed.error;
  }
  const { status, ...rest } = object;
  const drivers: VSphereDrivers = { ...rest, spec: parsed.data, ...(status === undefined ? {} : { status }) };
  for (const rule of vsphereDriversRules) reportRule(rule, drivers, problems);
  const invalid = configInvalid(source, problems.all);
  if (invalid) throw invalid;
  return drivers;
};
