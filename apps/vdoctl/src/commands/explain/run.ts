import { VdoError } from '@vdo/base/vdo-error';
import { currentCheckId } from '@vdo/checks/check-ids';
import { nearest } from '@vdo/config/nearest';
import type { CommandRun } from '../../cli/command-run.ts';
import type { OutputFlags } from '../../cli/options.ts';
import { wrap } from '../../cli/wrap.ts';
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { type Explanation, explanations, type WordKind } from '../../shared/words/explanations.ts';

/** `thin provisioned`, `thin-provisioned` and `ThinProvisioned` are the same word. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_./-]/g, '');

/** Entries with exactly this name; otherwise entries whose name contains it. */
const find = (word: string): readonly Explanation[] => {
  const all = explanations();
  const wanted = currentCheckId(word).toLowerCase();
  const exact = all.filter(({ code }) => code.toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  const partial = all.filter(({ code }) => plain(code).includes(plain(wanted)));
  if (partial.length > 0) return partial;
  const similar = nearest(
    word,
    all.map(({ code }) => code),
  );
  throw new VdoError({
    code: 'InvalidArgument',
    message: `unknown word: ${word}`,
    remedy: `${similar === undefined ? '' : `Did you mean ${similar}? `}Run vdoctl explain to list all words.`,
  });
};

const kinds: Readonly<Record<WordKind, string>> = {
  error: 'error',
  check: 'health check',
  health: 'health in vdoctl status',
  condition: 'condition',
  reason: 'reason of a condition, check or event',
  metric: 'metric',
  alert: 'Prometheus alert',
};

const describe = ({ code, kind, meaning, remedy, commands, docs }: Explanation, width: number): readonly string[] => [
  `${code} (${kinds[kind]})`,
  '',
  ...wrap(`${kind === 'check' ? 'What it checks' : 'Meaning'}: ${meaning}`, { width }),
  '',
  ...wrap(`What to do: ${remedy}`, { width }),
  ...commands.map((command) => `  ${command}`),
  '',
  `More: ${docs}`,
];

const columns = [
  { title: 'name', value: (row: Explanation) => row.code },
  { title: 'kind', value: (row: Explanation) => row.kind },
  { title: 'meaning', value: (row: Explanation) => row.meaning, wide: true },
];

/** vdoctl explain [word] */
export const explain: CommandRun<OutputFlags> = (context, flags, [word]) => {
  const width = Math.min(context.terminal.columns ?? 100, 110);
  const found = word === undefined ? explanations() : find(word);
  const [first] = found;
  const isOneName = first !== undefined && found.every(({ code }) => code === first.code);
  printResult(context, flags.output, {
    data: isOneName && found.length === 1 ? first : found,
    names: found.map(({ code }) => code),
    lines: (options) =>
      isOneName
        ? found.flatMap((one, index) => [...(index === 0 ? [] : ['']), ...describe(one, width)])
        : renderTable(columns, found, options),
  });
};
