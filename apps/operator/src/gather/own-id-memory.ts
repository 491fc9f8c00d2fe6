/** The cluster ID that was found to be right; each process checks it again. */
export interface OwnIdMemory {
  readonly isKnown: (id: string) => boolean;
  readonly remember: (id: string) => void;
}

export const createOwnIdMemory = (): OwnIdMemory => {
  let known: string | undefined;
  return {
    isKnown: (id) => id === known,
    remember: (id) => {
      known = id;
    },
  };
};
