export interface OptionSpec {
  /** As commander writes them: `-o, --output <format>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
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
}

/** One command, as help, completion and the reference page see it. `Flags` are those that its options give. */
export interface CommandSpec<Flags> {
  /** Never there: it ties the options to the function that takes them. */
  readonly flags?: Flags;
  /** `['matrix', 'show']`. */
  readonly path: readonly string[];
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
  readonly summary: string;
}
