/** A vCenter account. */
export interface Account {
  readonly username: string;
  readonly password: string;
}
