import type { CliContext } from '../../cli/context.ts';
import { ask } from '../../shared/vsphere/ask-secret.ts';

export interface Choice<T> {
  readonly label: string;
  readonly value: T;
}

/** Asks the user. Each method may throw GoBack. */
export interface Asker {
  text(question: string, fallback?: string): Promise<string>;
  yes(question: string, fallback?: boolean): Promise<boolean>;
  /** One of the choices; Enter selects the default. */
  one<T>(question: string, choices: readonly Choice<T>[], fallback?: NoInfer<T>): Promise<T>;
  /** Any number of the choices; Enter selects the default, or none if there is no default. */
  some<T>(
    question: string,
    choices: readonly Choice<T>[],
    options: { readonly none: string; readonly fallback?: readonly NoInfer<T>[] },
  ): Promise<readonly T[]>;
}

/** The answer that goes back to the previous question. */
export const backWord = '<';

export class GoBack extends Error {
  constructor() {
    super('back to the previous question');
  }
}

const remedy = 'Pass the value as a flag; vdoctl configure --help lists the flags.';

/** `1,3` of three → 0 and 2; undefined if the text is not such a list. */
export const parseNumbers = (text: string, count: number): readonly number[] | undefined => {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const numbers = parts.map(Number);
  const isChoice = (number: number): boolean => Number.isInteger(number) && number >= 1 && number <= count;
  return numbers.every(isChoice) ? [...new Set(numbers)].map((number) => number - 1) : undefined;
};

/** Asks on the terminal with numbered lists, which work over any connection and with screen readers. */
export const createAsker = ({ terminal, signal }: Pick<CliContext, 'terminal' | 'signal'>): Asker => {
  const line = async (question: string): Promise<string> => {
    const answer = (await ask(terminal, question, { remedy, signal })).trim();
    if (answer === backWord) throw new GoBack();
    return answer;
  };
  const text: Asker['text'] = async (question, fallback) => {
    for (;;) {
      const answer = (await line(fallback === undefined ? question : `${question} [${fallback}]`)) || fallback;
      if (answer !== undefined && answer !== '') return answer;
    }
  };
  const show = (question: string, choices: readonly Choice<unknown>[]): void => {
    terminal.err(`\n${question}\n`);
    for (const [index, { label }] of choices.entries()) terminal.err(`  ${index + 1}) ${label}\n`);
  };
  const some: Asker['some'] = async (question, choices, { none, fallback = [] }) => {
    if (choices.length === 0) return [];
    const before = choices.filter(({ value }) => fallback.includes(value));
    show(question, choices);
    const enter = before.length === 0 ? none : before.map(({ label }) => label).join(', ');
    for (;;) {
      const answer = await line(`Numbers, or Enter for ${enter}`);
      if (answer === '') return before.map(({ value }) => value);
      const found = parseNumbers(answer, choices.length);
      if (found) return choices.filter((_choice, index) => found.includes(index)).map(({ value }) => value);
      terminal.err(`Enter numbers from 1 to ${choices.length}, separated by commas.\n`);
    }
  };
  return {
    text,
    some,
    yes: async (question, fallback = false) => {
      for (;;) {
        const answer = await line(`${question} [${fallback ? 'Y/n' : 'y/N'}]`);
        if (answer === '') return fallback;
        if (/^(y|yes|n|no)$/i.test(answer)) return /^y/i.test(answer);
        terminal.err('Answer y or n.\n');
      }
    },
    one: async (question, choices, fallback) => {
      const preset = choices.findIndex(({ value }) => value === fallback);
      show(question, choices);
      for (;;) {
        const answer = await line(preset < 0 ? 'Number' : `Number [${preset + 1}]`);
        const [index, ...more] = answer === '' && preset >= 0 ? [preset] : (parseNumbers(answer, choices.length) ?? []);
        const chosen = index === undefined || more.length > 0 ? undefined : choices[index];
        if (chosen) return chosen.value;
        terminal.err(`Enter one number from 1 to ${choices.length}.\n`);
      }
    },
  };
};
