/** Edit distance in which swapping two adjacent characters counts once. */
const distance = (left: string, right: string): number => {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + same,
        swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(left.length, right.length);
};

const plain = (word: string): string => word.toLowerCase().replace(/[-_.\s]/g, '');

/** The candidate that a mistyped word most likely means; case, hyphens and underscores do not count. Undefined if none is similar. */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  const scored = candidates
    .map((candidate) => ({ candidate, score: distance(plain(word), plain(candidate)) }))
    .sort((left, right) => left.score - right.score);
  const best = scored[0];
  return best && best.score <= Math.max(1, Math.floor(plain(word).length / 3)) ? best.candidate : undefined;
};
