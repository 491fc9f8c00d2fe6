import type { Random } from '@vdo/base/random';

const lower = 'abcdefghijkmnopqrstuvwxyz';
const upper = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';
// No character that has a special meaning in a shell, an INI file, YAML or a URL.
const special = '-_.+=';
const all = lower + upper + digits + special;
/** The maximum length in vCenter's default policy. */
const length = 20;

/** A password that vCenter's default policy accepts: all kinds of characters, none three times in a row. */
export const newPassword = (random: Random): string => {
  const pick = (from: string): string => from[Math.floor(random.next() * from.length)] ?? '';
  const attempt = (): string => {
    const characters = Array.from({ length }, () => pick(all));
    // Starts with a letter, so that it is not mistaken for an option or a number.
    characters[0] = pick(lower + upper);
    return characters.join('');
  };
  const isFit = (text: string): boolean =>
    [lower, upper, digits, special].every((kind) => [...text].some((one) => kind.includes(one))) &&
    !/(.)\1\1/.test(text);
  for (;;) {
    const made = attempt();
    if (isFit(made)) return made;
  }
};
