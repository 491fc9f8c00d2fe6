import type { FieldPlan, Plan } from './registry.ts';

/** The state of the decoder inside an open element. */
export const mode = { object: 0, scalar: 1, ref: 2, list: 3, generic: 4, skip: 5 } as const;

/** One open element. Frames are reused: the hot path allocates values only. */
export interface Frame {
  mode: number;
  /** Element name without prefix. */
  name: string;
  plan: Plan;
  /** The field of the parent object this element fills. */
  field: FieldPlan | undefined;
  target: Record<string, unknown>;
  list: unknown[];
  text: string;
  /** MoRef type, or the xsi:type of an element without a plan. */
  typeName: string;
  /** The size of what was kept of the document before it. */
  weight: number;
  /** Open elements inside a skipped one; children seen inside one without a plan. */
  count: number;
}

export const anyPlan: Plan = { kind: 'any' };

const newFrame = (): Frame => ({
  mode: mode.skip,
  name: '',
  plan: anyPlan,
  field: undefined,
  target: {},
  list: [],
  text: '',
  typeName: '',
  weight: 0,
  count: 0,
});

/** A stack that grows on demand; frame 0 is the document itself. */
export const createFrames = () => {
  const frames: Frame[] = [];
  return {
    at: (depth: number): Frame => {
      const known = frames[depth];
      if (known) return known;
      const created = newFrame();
      frames[depth] = created;
      return created;
    },
    /** `Envelope/Body/LoginResponse`: the position of the decoder, for messages. */
    path: (depth: number): string =>
      frames
        .slice(1, depth + 1)
        .map((frame) => frame.name)
        .join('/'),
  };
};
