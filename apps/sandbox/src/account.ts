/** Of a vCenter. */
export interface Account {
  readonly username: string;
  readonly password: string;
}
