import { posix } from 'node:path';
import { errorCodes } from '@vdo/base/error-codes';
import { allChecks } from '@vdo/checks/all-checks';
import { docsAnchor } from '@vdo/checks/check';
import { docsOf } from '@vdo/vdoctl/cli/print-error';
import { describe, expect, it } from 'vitest';
import { anchorsOf, linksOf } from './markdown.ts';
import { exists, manifests, pages, read, sources } from './repository.ts';

/** Whether a path in this repository, with the place in the page after `#`, leads somewhere. */
const leadsNowhere = (link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  return !exists(path) || (anchor !== undefined && !anchorsOf(read(path)).has(anchor));
};

describe('links', () => {
  it.each(pages())('of %s lead somewhere', (page) => {
    const targets = linksOf(read(page)).map((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      return anchor === undefined ? target : `${target}#${anchor}`;
    });
    expect(targets.filter(leadsNowhere)).toEqual([]);
  });

  it('of programs and manifests lead somewhere', () => {
    const found = [...sources(), ...manifests()].flatMap((path) =>
      [...read(path).matchAll(/\bdocs\/[\w/.-]+\.md(?:#[\w-]+)?/g)].map(([link]) => ({ path, link })),
    );
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(({ link }) => leadsNowhere(link))).toEqual([]);
  });

  it('of every error and every check lead to its paragraph', () => {
    const links = [
      ...Object.keys(errorCodes).map(docsOf),
      ...allChecks.map(({ id }) => `docs/reference/${docsAnchor(id)}`),
    ];
    expect(links.filter(leadsNowhere)).toEqual([]);
  });

  it('reach every page for readers from the index, and the index from the first page', () => {
    const linkedFrom = (page: string) =>
      linksOf(read(page)).map((link) => posix.join(posix.dirname(page), link.split('#')[0] ?? ''));
    expect(linkedFrom('README.md')).toContain('docs/README.md');
    const linked = new Set(linkedFrom('docs/README.md'));
    const wanted = pages().filter((page) => /^docs\/((tutorials|guides|explanation|reference)\/|\w+\.md$)/.test(page));
    expect(wanted.length).toBeGreaterThan(30);
    expect(wanted.filter((page) => page !== 'docs/README.md' && !linked.has(page))).toEqual([]);
  });
});
