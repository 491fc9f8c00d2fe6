// Texts that make a pattern work for nothing: it begins to match again and again, and never ends.
import { RegExpParser } from '@eslint-community/regexpp';

/** Any character of a class, as plain a one as there is. */
const memberOf = (set) => {
  if (set.type === 'Character') return String.fromCodePoint(set.value);
  if (set.type === 'CharacterSet')
    return (
      { space: set.negate ? 'a' : ' ', digit: set.negate ? 'a' : '0', word: set.negate ? '-' : 'a' }[set.kind] ?? 'a'
    );
  if (set.type === 'CharacterClassRange') return String.fromCodePoint(set.min.value);
  if (set.type !== 'CharacterClass') return 'a';
  const first = set.elements[0];
  if (!set.negate) return first ? memberOf(first) : '';
  const whole = new RegExp(set.raw, 'u');
  return ['a', ' ', '-', '0', '/', '\n'].find((one) => whole.test(one)) ?? '~';
};

/** A short text that the node matches. */
const sampleOf = (node) => {
  if (node.type === 'Alternative') return node.elements.map(sampleOf).join('');
  if (node.type === 'Quantifier') return sampleOf(node.element).repeat(Math.max(node.min, node.max > 0 ? 1 : 0));
  if (node.type === 'Group' || node.type === 'CapturingGroup') return sampleOf(node.alternatives[0]);
  if (node.type === 'Assertion' || node.type === 'Backreference') return '';
  return memberOf(node);
};

/** Every sequence of the pattern, groups included. */
const sequencesIn = (node) => {
  if (node.type === 'Quantifier') return sequencesIn(node.element);
  if (node.type === 'Alternative') return [node.elements, ...node.elements.flatMap(sequencesIn)];
  return (node.alternatives ?? []).flatMap(sequencesIn);
};

const parser = new RegExpParser();

/** What is repeated: the beginnings and the parts of each sequence, after what has to come before. */
export const attacksOn = (literal) => {
  const { pattern } = parser.parseLiteral(literal);
  const attacks = new Map();
  for (const sequence of pattern.alternatives.flatMap(sequencesIn))
    for (const [index, element] of sequence.entries()) {
      const before = sequence.slice(0, index).map(sampleOf).join('');
      const own = sampleOf(element);
      for (const [head, repeated] of [
        ['', before + own],
        [before, own],
      ])
        if (repeated !== '') attacks.set(JSON.stringify([head, repeated]), { head, repeated });
    }
  return [...attacks.values()];
};

/** The text of about that length. It ends with a character that hardly any pattern takes. */
export const attackText = ({ head, repeated }, length) =>
  `${head}${repeated.repeat(Math.ceil(length / repeated.length))}\u{1}`;
