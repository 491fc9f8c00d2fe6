/** Breaks text at spaces so that no line is longer than `width`; each line starts with `indent`. Words are never broken. */
export const wrap = (
  text: string,
  options: { readonly width: number; readonly indent?: string },
): readonly string[] => {
  const { width, indent = '' } = options;
  const available = Math.max(20, width - indent.length);
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > available) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line].map((part) => `${indent}${part}`.trimEnd());
  });
};
