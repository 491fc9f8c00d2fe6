import type { CallOptions } from '../soap/soap-client.ts';

/** The details of a person's account. */
export interface PersonDetails {
  readonly description?: string | undefined;
  readonly emailAddress?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

export interface PersonUser {
  /** `name@domain`. */
  readonly name: string;
  readonly details: PersonDetails;
  readonly disabled: boolean;
  readonly locked: boolean;
}

/** An account of a program: it logs in with a certificate and has no password. */
export interface SolutionUser {
  /** `name@domain`. */
  readonly name: string;
  readonly description: string | undefined;
  /** PEM. */
  readonly certificate: string;
  readonly disabled: boolean;
}

export interface SsoGroup {
  /** `name@domain`. */
  readonly name: string;
  readonly description: string | undefined;
}

/**
 * Users and groups of vCenter's own domain. Names are `name` or `name@domain`; without a domain, vCenter's own is meant.
 * Only accounts of that domain can be changed. Needs an administrator of single sign-on.
 */
export interface SsoAdmin {
  /** Users whose name contains the text; all users if it is empty. */
  findUsers(search: string, options?: CallOptions): Promise<readonly PersonUser[]>;
  findUser(name: string, options?: CallOptions): Promise<PersonUser | undefined>;
  /** Throws VdoError VCenterFault if there is one of that name. */
  createUser(
    user: { readonly name: string; readonly password: string; readonly details?: PersonDetails },
    options?: CallOptions,
  ): Promise<void>;
  /** Replaces all details. */
  updateUser(name: string, details: PersonDetails, options?: CallOptions): Promise<void>;
  resetPassword(name: string, password: string, options?: CallOptions): Promise<void>;
  /** False if there is no such user. */
  deleteUser(name: string, options?: CallOptions): Promise<boolean>;
  /** Solution users whose name contains the text; all if it is empty. */
  findSolutionUsers(search: string, options?: CallOptions): Promise<readonly SolutionUser[]>;
  findSolutionUser(name: string, options?: CallOptions): Promise<SolutionUser | undefined>;
  /** The solution user with this certificate (PEM). */
  findSolutionUserByCertificate(certificate: string, options?: CallOptions): Promise<SolutionUser | undefined>;
  /** Throws VdoError VCenterFault if the name exists, InvalidArgument if the certificate is invalid. */
  createSolutionUser(
    user: { readonly name: string; readonly certificate: string; readonly description?: string },
    options?: CallOptions,
  ): Promise<void>;
  /** Replaces certificate and description; used to renew a certificate. */
  updateSolutionUser(
    user: { readonly name: string; readonly certificate: string; readonly description?: string },
    options?: CallOptions,
  ): Promise<void>;
  /** False if there is no such solution user. */
  deleteSolutionUser(name: string, options?: CallOptions): Promise<boolean>;
  /** Groups whose name contains the text; all if it is empty. */
  findGroups(search: string, options?: CallOptions): Promise<readonly SsoGroup[]>;
  findGroup(name: string, options?: CallOptions): Promise<SsoGroup | undefined>;
  /** Throws VdoError VCenterFault if there is one of that name. */
  createGroup(group: { readonly name: string; readonly description?: string }, options?: CallOptions): Promise<void>;
  /** False if there is no such group. */
  deleteGroup(name: string, options?: CallOptions): Promise<boolean>;
  addToGroup(group: string, users: readonly string[], options?: CallOptions): Promise<void>;
  removeFromGroup(group: string, users: readonly string[], options?: CallOptions): Promise<void>;
  /** `name@domain` of the users in a group. */
  usersInGroup(group: string, options?: CallOptions): Promise<readonly string[]>;
  /** `name@domain` of the groups a user is in. */
  groupsOf(user: string, options?: CallOptions): Promise<readonly string[]>;
}
