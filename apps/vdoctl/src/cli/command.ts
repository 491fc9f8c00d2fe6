/** Kinds of names that `vdoctl completion names` can print. */
export type NameKind = 'nodes' | 'volumes' | 'words' | 'checks';

export type Completes = 'files' | NameKind | readonly string[];

export interface OptionSpec {
  /** As commander writes them: `-o, --output <format>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** What shell completion offers if there are no `choices`. Default: files, if the flag takes a `<file>` or `<folder>`. */
  readonly completes?: Completes;
  readonly default?: string | number | boolean | readonly string[];
  /** How help shows the default, if the value itself would be unclear. */
  readonly defaultText?: string;
  /** Converts the text to a value; throws commander's InvalidArgumentError with what was expected. */
  readonly parse?: (text: string, previous: unknown) => unknown;
  readonly required?: boolean;
  /** Environment variable used if the flag is absent. */
  readonly env?: string;
  /** Heading in the help; default `Options`. */
  readonly group?: string;
}

export interface ArgumentSpec {
  /** `<code>`, `[name]` or `[names...]`. */
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** What shell completion offers if there are no `choices`. Default: nothing. */
  readonly completes?: Completes;
}

/** A command as data, for help, completion and the reference page. `Flags` is the type of its parsed options. */
export interface CommandSpec<Flags> {
  /** Never set: connects the options with the function that receives them, for the type checker. */
  readonly flags?: Flags;
  /** `['matrix', 'show']`. */
  readonly path: readonly string[];
  /** Alternative name for the last word of the path. */
  readonly alias?: string;
  /** Heading under which `vdoctl --help` lists the command. */
  readonly heading?: string;
  /** Not listed in help: for scripts, not for users. */
  readonly hidden?: boolean;
  /** One line, for lists of commands. */
  readonly summary: string;
  /** More text for the help of the command. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Example command lines, each with its purpose. */
  readonly examples: readonly { readonly command: string; readonly purpose: string }[];
}

/** A group of commands, such as `matrix`. */
export interface CommandGroup {
  readonly path: readonly string[];
  readonly heading?: string;
  readonly summary: string;
}
