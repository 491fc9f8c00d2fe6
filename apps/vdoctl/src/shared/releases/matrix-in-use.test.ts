import { httpResponse } from '@vdo/base/http';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { createKubeClient } from '@vdo/kube/create-client';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { describe, expect, it } from 'vitest';
import { chooseMatrix, matrixLine, readMatrixInUse } from './matrix-in-use.ts';

const own = loadEmbeddedMatrix();
const stored = { lastGood: { matrix: { ...own, serial: own.serial + 5 }, source: 'ConfigMap matrix' } };
const image = 'the operator image';

describe('the matrix by which vdoctl judges', () => {
  it.each([
    ['there is no operator', {}, undefined, `Matrix ${own.serial} built into vdoctl.`],
    [
      'the operator has kept one',
      stored,
      undefined,
      `Matrix ${own.serial + 5} from ConfigMap matrix, in use by the operator.`,
    ],
    [
      'the operator has kept the one that it reports',
      stored,
      { serial: own.serial + 5, source: 'ConfigMap matrix' },
      `Matrix ${own.serial + 5} from ConfigMap matrix, in use by the operator.`,
    ],
    [
      'the operator has gone back to its image since',
      stored,
      { serial: own.serial, source: image },
      `Matrix ${own.serial} from ${image}, in use by the operator.`,
    ],
    [
      'the operator is of another release',
      {},
      { serial: own.serial + 1, source: image },
      `Matrix ${own.serial} built into vdoctl; the operator uses matrix ${own.serial + 1} of its own image, which this vdoctl does not contain: use vdoctl of the same release.`,
    ],
    [
      'what was kept is not what is in use',
      stored,
      { serial: own.serial + 6, source: 'ConfigMap matrix' },
      `Matrix ${own.serial} built into vdoctl; the operator uses matrix ${own.serial + 6} from ConfigMap matrix, but did not store it.`,
    ],
  ])('when %s', (_, kept, reported, line) => {
    expect(matrixLine(chooseMatrix(kept, reported))).toBe(line);
  });

  it.each([
    ['may not be read', httpResponse(403, JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden' }))],
    [
      'is broken',
      httpResponse(200, JSON.stringify({ kind: 'ConfigMap', data: { state: '{"lastGood":{"matrix":{}}}' } })),
    ],
  ])('is its own, and says so, when the note of the operator %s', async (_, reply) => {
    const kube = createKubeClient({
      clock: createVirtualClock(),
      transport: async ({ path }) => (path.includes('/configmaps/') ? reply : httpResponse(404, '{}')),
    });
    const chosen = await readMatrixInUse(kube, {
      namespace: 'vmware-system-vdo',
      signal: new AbortController().signal,
    });
    expect(chosen).toMatchObject({ usedBy: 'vdoctl', source: 'built into vdoctl' });
    expect(chosen.note).toContain('cannot read the matrix');
  });
});
