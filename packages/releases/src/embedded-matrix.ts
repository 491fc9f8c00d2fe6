import document from './embedded-matrix.json' with { type: 'json' };
import { type Matrix, parseMatrix } from './matrix.ts';

/** The matrix inside the image: what is used until another one was read. */
export const loadEmbeddedMatrix = (): Matrix => parseMatrix(JSON.stringify(document), 'the operator image');
