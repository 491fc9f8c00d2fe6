import document from './embedded-matrix.json' with { type: 'json' };
import { type Matrix, parseMatrix } from './matrix.ts';

/** The matrix in the image, which is used until another one was read. */
export const loadEmbeddedMatrix = (): Matrix => parseMatrix(JSON.stringify(document), 'the operator image');
