export interface CruisedModule {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

export interface FolderCycle {
  readonly folders: readonly string[];
  /** `from -> to`, one for each import among the folders. */
  readonly examples: readonly string[];
}

export function folderCycles(modules: readonly CruisedModule[]): readonly FolderCycle[];
