import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorCodes } from './error-codes.ts';

const reference = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
const sections = new Map(
  reference
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')).trim(), section]),
);

describe('docs/reference/errors.md', () => {
  it('documents every code', () => {
    expect(Object.keys(errorCodes).filter((code) => !sections.has(code))).toEqual([]);
  });

  it('documents nothing that does not exist', () => {
    expect([...sections.keys()].filter((code) => !(code in errorCodes))).toEqual([]);
  });

  it('lists the codes after which the outcome is unknown', () => {
    const listed = [...reference.matchAll(/^- \[(\w+)\]\(#/gm)].map(([, code]) => code);
    expect(listed).toEqual(
      Object.entries(errorCodes).flatMap(([code, { effect }]) => (effect === 'unknown' ? code : [])),
    );
  });

  it('says for every code what happened and what to do', () => {
    const incomplete = [...sections].filter(
      ([, text]) => !text.includes('**What happened:**') || !text.includes('**What to do:**'),
    );
    expect(incomplete.map(([code]) => code)).toEqual([]);
  });
});
