/** A real program: where it is, or will be once built. */
export interface LocatedPart {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly path: string;
  readonly built: boolean;
  /** Not needed by CI. */
  readonly onDemand: boolean;
}

/** Every part with the path of its program. Throws with the remedy if Go is missing. */
export declare function locateParts(): LocatedPart[];
