import type { CliContext } from '../../cli/context.ts';
import { ask } from '../../shared/vsphere/ask-secret.ts';

export interface Choice<T> {
  readonly label: string;
  readonly value: T;
}

/** Puts questions to a person. */
export interface Asker {
  text(question: string, fallback?: string): Promise<string>;
  yes(question: string): Promise<boolean>;
  /** One of them. */
  one<T>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  /** Some of them, or none. */
  some<T>(question: string, choices: readonly Choice<T>[], none: string): Promise<readonly T[]>;
}

const remedy = 'Give it as a flag: vdoctl configure --help lists them.';

/** `1,3` of three → 0 and 2; undefined if it is no such list. */
export const parseNumbers = (text: string, count: number): readonly number[] | undefined => {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const numbers = parts.map(Number);
  const isChoice = (number: number): boolean => Number.isInteger(number) && number >= 1 && number <= count;
  return numbers.every(isChoice) ? [...new Set(numbers)].map((number) => number - 1) : undefined;
};

/** On the terminal, with numbered lists: they work over any line and with any screen reader. */
export const createAsker = ({ terminal, signal }: Pick<CliContext, 'terminal' | 'signal'>): Asker => {
  const line = async (question: string): Promise<string> => (await ask(terminal, question, { remedy, signal })).trim();
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
  const some: Asker['some'] = async (question, choices, none) => {
    if (choices.length === 0) return [];
    show(question, choices);
    for (;;) {
      const found = parseNumbers(await line(`Numbers, or Enter for ${none}`), choices.length);
      if (found) return choices.filter((_choice, index) => found.includes(index)).map(({ value }) => value);
      terminal.err(`Please give numbers from 1 to ${choices.length}, separated by commas.\n`);
    }
  };
  return {
    text,
    some,
    yes: async (question) => /^y(es)?$/i.test(await line(`${question} [y/N]`)),
    one: async (question, choices) => {
      show(question, choices);
      for (;;) {
        const [index, ...more] = parseNumbers(await line('Number'), choices.length) ?? [];
        const chosen = index === undefined || more.length > 0 ? undefined : choices[index];
        if (chosen) return chosen.value;
        terminal.err(`Please give one number from 1 to ${choices.length}.\n`);
      }
    },
  };
};
