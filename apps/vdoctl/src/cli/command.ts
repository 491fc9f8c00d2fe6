/** Names of what a cluster or the documentation has, as `vdoctl completion names` prints them. */
export type NameKind = 'nodes' | 'volumes' | 'words' | 'checks';

export type Completes = 'files' | NameKind | readonly string[];

export interface OptionSpec {
  /** As commander writes them: `-o, --output <format>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** What a shell offers where `choices` do not say it. Without: files if the flag takes a `<file>` or `<folder>`. */
  readonly completes?: Completes;
  readonly default?: string | number | boolean | readonly string[];
  /** How help shows the default, where the value itself would be read wrongly. */
  readonly defaultText?: string;
  /** Text to value; throws commander's InvalidArgumentError with what was expected. */
  readonly parse?: (text: string, previous: unknown) => unknown;
  readonly required?: boolean;
  /** Environment variable that gives the value if the flag is absent. */
  readonly env?: string;
  /** Heading in the help; default `Options`. */
  readonly group?: string;
}

export interface ArgumentSpec {
  /** `<code>`, `[name]` or `[names...]`. */
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** What a shell offers where `choices` do not say it. Without: nothing. */
  readonly completes?: Completes;
}

/** One command, as help, completion and the reference page see it. `Flags` are those that its options give. */
export interface CommandSpec<Flags> {
  /** Never there: it ties the options to the function that takes them. */
  readonly flags?: Flags;
  /** `['matrix', 'show']`. */
  readonly path: readonly string[];
  /** Another last word that means the same. */
  readonly alias?: string;
  /** Heading of the list of commands under which the help of vdoctl shows it. */
  readonly heading?: string;
  /** Left out of lists of commands: for programs, not for people. */
  readonly hidden?: boolean;
  /** One line, for lists of commands. */
  readonly summary: string;
  /** What else a reader should know. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Command lines worth copying, each with its purpose. */
  readonly examples: readonly { readonly command: string; readonly purpose: string }[];
}

/** What a word of several commands is about, such as `matrix`. */
export interface CommandGroup {
  readonly path: readonly string[];
  readonly heading?: string;
  readonly summary: string;
}
