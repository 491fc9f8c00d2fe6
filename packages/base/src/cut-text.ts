// Patterns for the end of a text, such as /\/+$/, start again at each of its characters: their cost grows with
// the square of its length, and the text may come from an attacker. These functions read it once.

/** The text without the given characters at its end. */
export const withoutTrailing = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

/** The text before the first of the marks; all of it if there is none. */
export const before = (text: string, ...marks: readonly string[]): string => {
  const found = marks.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  return found.length === 0 ? text : text.slice(0, Math.min(...found));
};

/** A text of at most so many characters: the middle of a longer text is left out, and the result says how much is missing. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const head = Math.ceil(most / 2);
  const tail = Math.floor(most / 2);
  return `${text.slice(0, head)}… (${text.length - most} characters omitted) …${text.slice(text.length - tail)}`;
};
