// The regular expressions of the product: literals, and places that make one from text.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const isProduct = (file) =>
  /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\/|\/gen\/|-sim\//.test(file);

/** Those of one file: `{ literal, line }`, or `{ made, line }` where it is made of something else than a literal. */
const patternsIn = (file, text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) found.push({ file, line, literal: node.text });
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isMade && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp')
      found.push({ file, line, made: node.getText(source) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

export const collectPatterns = () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter(isProduct);
  return { files, patterns: files.flatMap((file) => patternsIn(file, readFileSync(file, 'utf8'))) };
};
