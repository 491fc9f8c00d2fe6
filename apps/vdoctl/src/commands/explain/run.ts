import { VdoError } from '@vdo/base/vdo-error';
import { allChecks } from '@vdo/checks/all-checks';
import { type Check, docsAnchor } from '@vdo/checks/check';
import { currentCheckId } from '@vdo/checks/check-ids';
import { nearest } from '@vdo/config/nearest';
import type { CommandRun } from '../../cli/command-run.ts';
import type { OutputFlags } from '../../cli/options.ts';
import { docsOf } from '../../cli/print-error.ts';
import { wrap } from '../../cli/wrap.ts';
import errors from '../../gen/error-reference.json' with { type: 'json' };
import { printResult } from '../../output/print-result.ts';
import { renderTable } from '../../output/table.ts';
import { checkReasons } from './words/check-reasons.ts';
import { conditionMeanings, healthWordMeanings, reasonMeanings } from './words/status-words.ts';

type Kind = 'error' | 'check' | 'health' | 'condition' | 'reason';

interface Explanation {
  readonly code: string;
  readonly kind: Kind;
  readonly meaning: string;
  readonly remedy: string;
  readonly commands: readonly string[];
  readonly docs: string;
}

const statusDocs = 'docs/guides/health-checks.md';

const ofWords = (
  kind: Kind,
  words: Readonly<
    Record<string, { readonly meaning: string; readonly remedy: string; readonly commands?: readonly string[] }>
  >,
): readonly Explanation[] =>
  Object.entries(words).map(([code, { meaning, remedy, commands = [] }]) => ({
    code,
    kind,
    meaning,
    remedy,
    commands,
    docs: statusDocs,
  }));

const ofCheck = ({ id, title, meaning, remedy }: Check): Explanation => ({
  code: id,
  kind: 'check',
  meaning: `${title} If not: ${meaning}`,
  remedy,
  commands: [`vdoctl doctor --only ${id}`],
  docs: `docs/reference/${docsAnchor(id)}`,
});

const ofCheckReason = ([code, id]: readonly [string, string]): readonly Explanation[] =>
  allChecks
    .filter((check) => check.id === id)
    .map(ofCheck)
    .map((check) => ({ ...check, code, kind: 'reason', meaning: `Found by check ${id}. ${check.meaning}` }));

/** Every word that the product shows. One word may have several meanings: Degraded is a headline and a condition. */
const explanations = (): readonly Explanation[] => [
  ...Object.entries(errors).map(([code, { happened, remedy }]) => ({
    code,
    kind: 'error' as const,
    meaning: happened,
    remedy,
    commands: [],
    docs: docsOf(code),
  })),
  ...allChecks.map(ofCheck),
  ...ofWords('health', healthWordMeanings),
  ...ofWords('condition', conditionMeanings),
  ...ofWords('reason', reasonMeanings),
  ...Object.entries(checkReasons).flatMap(ofCheckReason),
];

/** Those with exactly this name; else those whose name contains it. */
const find = (word: string): readonly Explanation[] => {
  const all = explanations();
  const wanted = currentCheckId(word).toLowerCase();
  const exact = all.filter(({ code }) => code.toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  const partial = all.filter(({ code }) => code.toLowerCase().includes(wanted));
  if (partial.length > 0) return partial;
  const similar = nearest(
    word,
    all.map(({ code }) => code),
  );
  throw new VdoError({
    code: 'InvalidArgument',
    message: `nothing is known by the name ${word}`,
    remedy: `${similar === undefined ? '' : `Did you mean ${similar}? `}vdoctl explain lists every error code, check, condition and reason.`,
  });
};

const kinds: Readonly<Record<Kind, string>> = {
  error: 'error',
  check: 'health check',
  health: 'first word of vdoctl status',
  condition: 'condition',
  reason: 'reason of a condition, check or event',
};

const describe = ({ code, kind, meaning, remedy, commands, docs }: Explanation, width: number): readonly string[] => [
  `${code} (${kinds[kind]})`,
  '',
  ...wrap(`${kind === 'check' ? 'What must hold' : 'What it means'}: ${meaning}`, { width }),
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
    lines: (options) =>
      isOneName
        ? found.flatMap((one, index) => [...(index === 0 ? [] : ['']), ...describe(one, width)])
        : renderTable(columns, found, options),
  });
};
