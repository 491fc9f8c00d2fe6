import { z } from 'zod';
import { matrixSchema, releaseSchema } from './matrix.ts';

// What the operator stores, as far as it depends on it. Fields of later releases are kept unchanged.
const name = { distribution: z.enum(['Native', 'Upstream']), version: z.string() };
const driverHistory = z.looseObject({
  good: releaseSchema.loose().optional(),
  former: z.array(releaseSchema.loose()).optional(),
  target: z.looseObject({ ...name, rollback: z.boolean(), sinceMs: z.number() }).optional(),
  bad: z.array(z.looseObject({ ...name, reason: z.string(), serial: z.number(), generation: z.number() })),
});

/** The form of the note of releases. */
export const releaseHistorySchema = z.looseObject({ cpi: driverHistory.optional(), csi: driverHistory.optional() });

/** The form of the note of the last good matrix. */
export const keptMatrixSchema = z.looseObject({
  lastGood: z.looseObject({ matrix: matrixSchema, source: z.string() }).optional(),
});
