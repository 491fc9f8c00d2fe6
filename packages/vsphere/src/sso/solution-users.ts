import { X509Certificate } from 'node:crypto';
import { VdoError } from '@vdo/base/vdo-error';
import type { CallOptions } from '../soap/soap-client.ts';
import {
  createLocalSolutionUser,
  deleteLocalPrincipal,
  findSolutionUser,
  findSolutionUsers,
  updateLocalSolutionUserDetails,
} from '../wire/methods/sso.ts';
import type { Value } from '../wire/schema.ts';
import type { SsoSolutionUser } from '../wire/types/sso.ts';
import type { SolutionUser, SsoAdmin } from './sso-admin.ts';
import type { SsoSession } from './sso-session.ts';

const limit = 2 ** 31 - 1;

/** PEM → base64 of the DER form, as vCenter stores certificates. */
const derOf = (pem: string): string => {
  try {
    return new X509Certificate(pem).raw.toString('base64');
  } catch (cause) {
    throw new VdoError({
      code: 'InvalidArgument',
      message: 'the certificate of the solution user is not an X.509 certificate in PEM form',
      remedy: 'Use the full text of the certificate, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.',
      cause,
    });
  }
};

/** The reverse conversion. The stored text may contain line breaks. */
const pemOf = (der: string): string => {
  const lines = der.replace(/\s/g, '').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
};

const toSolutionUser = ({ id, details, disabled }: Value<typeof SsoSolutionUser>): SolutionUser => ({
  name: `${id.name}@${id.domain}`,
  description: details.description,
  certificate: pemOf(details.certificate),
  disabled,
});

type SolutionUsers = Pick<
  SsoAdmin,
  | 'findSolutionUsers'
  | 'findSolutionUser'
  | 'findSolutionUserByCertificate'
  | 'createSolutionUser'
  | 'updateSolutionUser'
  | 'deleteSolutionUser'
>;

/** Accounts of programs. `localName` returns the name without its domain, which must be vCenter's own. */
export const createSolutionUsers = (session: SsoSession, localName: (principal: string) => string): SolutionUsers => {
  const discovery = async (options: CallOptions) => (await session.services(options)).principalDiscoveryService;
  const management = async (options: CallOptions) => (await session.services(options)).principalManagementService;

  const find: SsoAdmin['findSolutionUser'] = async (name, options = {}) => {
    const args = { _this: await discovery(options), userName: localName(name) };
    const found = await session.call(findSolutionUser, args, options);
    return found && toSolutionUser(found);
  };
  const search: SsoAdmin['findSolutionUsers'] = async (searchString, options = {}) => {
    const args = { _this: await discovery(options), searchString, limit };
    return (await session.call(findSolutionUsers, args, options)).map(toSolutionUser);
  };
  const write = async (
    method: typeof createLocalSolutionUser | typeof updateLocalSolutionUserDetails,
    user: { readonly name: string; readonly certificate: string; readonly description?: string },
    options: CallOptions,
  ): Promise<void> => {
    const userName = localName(user.name);
    const userDetails = { description: user.description, certificate: derOf(user.certificate) };
    await session.call(method, { _this: await management(options), userName, userDetails }, options);
  };

  return {
    findSolutionUser: find,
    findSolutionUsers: search,
    findSolutionUserByCertificate: async (certificate, options = {}) => {
      const wanted = pemOf(derOf(certificate));
      return (await search('', options)).find((user) => user.certificate === wanted);
    },
    createSolutionUser: (user, options = {}) => write(createLocalSolutionUser, user, options),
    updateSolutionUser: (user, options = {}) => write(updateLocalSolutionUserDetails, user, options),
    deleteSolutionUser: async (name, options = {}) => {
      const principalName = localName(name);
      if (!(await find(name, options))) return false;
      await session.call(deleteLocalPrincipal, { _this: await management(options), principalName }, options);
      return true;
    },
  };
};
