// What people read of a file: everything else is replaced by spaces, so that offsets and lines stay.
import ts from 'typescript';

const blank = (text) => text.replaceAll(/[^\n]/g, ' ');

const ofMarkdown = (text) =>
  text.replaceAll(/^ *```[^\n]*\n[\s\S]*?^ *```$/gm, blank).replaceAll(/`[^`\n]+`|\]\([^)\n]*\)|<[^>\n]+>/g, blank);

const textKinds = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.JsxText,
]);

/** The name of a module or of a property is not prose. */
const isName = (node) => ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);

/** Comments lie between the tokens, so that they are found in front of each token and nowhere else. */
const ofTypeScript = (file, text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const spans = [];
  const visit = (node) => {
    if (textKinds.has(node.kind) && !isName(node)) spans.push([node.getStart(source, false), node.end]);
    if (node.kind >= ts.SyntaxKind.FirstToken && node.kind <= ts.SyntaxKind.LastToken) {
      const comments = [
        ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
        ...(ts.getTrailingCommentRanges(text, node.pos) ?? []),
      ];
      for (const { pos, end } of comments) spans.push([pos, end]);
    }
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  const kept = [...blank(text)];
  for (const [from, to] of spans) for (let at = from; at < to; at++) kept[at] = text[at];
  // The stars and slashes of a comment that goes over several lines would part its phrases.
  return kept.join('').replaceAll(/^( *)(\/\/|\*)/gm, (all) => blank(all));
};

/** @returns {string} the text of the file, as long as before, with all but its prose blank. */
export const proseOf = (file, text) => {
  if (file.endsWith('.md')) return ofMarkdown(text);
  return /\.(tsx?|mjs)$/.test(file) ? ofTypeScript(file, text) : text;
};
