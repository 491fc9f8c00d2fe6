/** A command line or a name in a page, and whether it stands in a block of its own or within a sentence. */
export interface CodeText {
  readonly text: string;
  readonly block: boolean;
}

const fence = /^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm;

const withoutBlocks = (page: string): string => page.replace(fence, '');

/** As GitHub makes them of headings. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replace(/ /g, '-');

/** Where a link may lead within a page. A heading that comes again gets a number. */
export const anchorsOf = (page: string): ReadonlySet<string> => {
  const seen = new Map<string, number>();
  const anchors = [...withoutBlocks(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading);
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
  const named = [...page.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name);
  return new Set([...anchors, ...named]);
};

/** Targets of the links of a page that lead into this repository. */
export const linksOf = (page: string): readonly string[] =>
  [...withoutBlocks(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

/** Blocks of shell commands, and what stands between backquotes. */
export const codeOf = (page: string): readonly CodeText[] => [
  ...[...page.matchAll(fence)]
    .filter(([, language]) => language === 'sh' || language === 'bash' || language === 'console')
    .map(([, , text = '']) => ({ text: text.replace(/\\\n\s*/g, ' '), block: true })),
  ...[...withoutBlocks(page).matchAll(/`([^`]+)`/g)].map(([, text = '']) => ({
    text: text.replace(/\s+/g, ' '),
    block: false,
  })),
];
