/** A section of a page, as a search on the documentation finds it. */
export interface Section {
  readonly page: string;
  readonly heading: string;
  readonly body: string;
}

interface Indexed extends Section {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[a-z0-9][a-z0-9.]*[a-z0-9]|[a-z0-9]/g) ?? []).map((word) =>
    word.replace(/(?<=[a-z]{3})(?:ing|ed|es|s)$/, ''),
  );

/** The sections of a page: each heading with the text up to the next one. */
export const sectionsOf = (page: string, text: string): readonly Section[] =>
  text
    .replaceAll(/^```[^\n]*\n[\s\S]*?^```$/gm, (block) => block.replaceAll(/^#/gm, ' #'))
    .split(/^(?=#{1,4} )/m)
    .filter((part) => part.startsWith('#'))
    .map((part) => {
      const [heading = '', ...body] = part.split('\n');
      return { page, heading: heading.replace(/^#+ /, ''), body: body.join('\n') };
    });

const headingWeight = 4;
const [saturation, lengthPenalty] = [1.2, 0.6];

/** A plain full-text search (BM25), as the searches of documentation sites do it; the best section first. */
export const createSearch = (sections: readonly Section[]): ((query: string) => readonly Section[]) => {
  const index: readonly Indexed[] = sections.map((section) => {
    const words = [...Array<string>(headingWeight).fill(section.heading), section.body].flatMap(wordsOf);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { ...section, counts, length: words.length };
  });
  const average = index.reduce((sum, { length }) => sum + length, 0) / index.length;
  const rarity = (word: string): number => {
    const having = index.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (index.length - having + 0.5) / (having + 0.5));
  };
  return (query) => {
    const wanted = [...new Set(wordsOf(query))].map((word) => ({ word, weight: rarity(word) }));
    const score = ({ counts, length }: Indexed): number =>
      wanted.reduce((sum, { word, weight }) => {
        const count = counts.get(word) ?? 0;
        const norm = saturation * (1 - lengthPenalty + (lengthPenalty * length) / average);
        return sum + (weight * count * (saturation + 1)) / (count + norm);
      }, 0);
    return index
      .map((section) => ({ section, points: score(section) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
      .map(({ section: { page, heading, body } }) => ({ page, heading, body }));
  };
};
