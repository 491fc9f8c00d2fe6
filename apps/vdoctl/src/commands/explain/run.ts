import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import { nearest } from '@vdo/config/nearest';
import type { CommandRun } from '../../cli/command-run.ts';
import type { OutputFlags } from '../../cli/options.ts';
import { docsOf } from '../../cli/print-error.ts';
import { wrap } from '../../cli/wrap.ts';
import errors from '../../gen/error-reference.json' with { type: 'json' };
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';

interface Explanation {
  readonly code: string;
  readonly kind: 'error' | 'check';
  readonly meaning: string;
  readonly remedy: string;
  readonly docs: string;
}

const explanations = (): readonly Explanation[] => [
  ...Object.entries(errors).map(([code, { happened, remedy }]) => ({
    code,
    kind: 'error' as const,
    meaning: happened,
    remedy,
    docs: docsOf(code),
  })),
  ...allChecks.map(({ id, title }) => ({
    code: id,
    kind: 'check' as const,
    meaning: title,
    remedy: `vdoctl doctor runs it and prints the exact remedy for each object that fails.`,
    docs: `docs/reference/checks.md`,
  })),
];

const find = (code: string): Explanation => {
  const all = explanations();
  const found = all.find((candidate) => candidate.code.toLowerCase() === code.toLowerCase());
  if (found) return found;
  const similar = nearest(
    code,
    all.map((candidate) => candidate.code),
  );
  throw new VdoError({
    code: 'InvalidArgument',
    message: `there is no error code or check named ${code}`,
    remedy: `${similar === undefined ? '' : `Did you mean ${similar}? `}vdoctl explain lists them all.`,
  });
};

const describe = ({ code, kind, meaning, remedy, docs }: Explanation, width: number): readonly string[] => [
  `${code} (${kind === 'error' ? 'error' : 'health check'})`,
  '',
  ...wrap(`${kind === 'error' ? 'What happened' : 'What must hold'}: ${meaning}`, { width }),
  '',
  ...wrap(`What to do: ${remedy}`, { width }),
  '',
  `More: ${docs}`,
];

/** vdoctl explain [code] */
export const explain: CommandRun<OutputFlags> = (context, flags, [code]) => {
  const width = Math.min(context.terminal.columns ?? 100, 110);
  if (code !== undefined) {
    const explanation = find(code);
    printResult(context, flags.output, { data: explanation, lines: () => describe(explanation, width) });
    return;
  }
  const all = explanations();
  const columns = [
    { title: 'code', value: (row: Explanation) => row.code },
    { title: 'kind', value: (row: Explanation) => row.kind },
    { title: 'meaning', value: (row: Explanation) => row.meaning, wide: true },
  ];
  printResult(context, flags.output, { data: all, lines: (options) => renderTable(columns, all, options) });
};
