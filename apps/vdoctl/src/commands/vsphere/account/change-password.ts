import type { Account } from '@vdo/config/credentials';
import type { SsoAdmin } from '@vdo/vsphere/sso/sso-admin';
import type { PasswordPlace } from './password-place.ts';

/**
 * vCenter first, then immediately the Secret: sessions survive a password change, and the drivers log in again only when
 * the Secret changes. Whether the Secret can be written is tested before.
 */
export const changePassword = async (
  sso: Pick<SsoAdmin, 'resetPassword'>,
  place: PasswordPlace,
  input: { readonly next: Account; readonly kept: Account | undefined; readonly signal: AbortSignal },
): Promise<void> => {
  const { next, kept } = input;
  await place.tryOut(next);
  await sso.resetPassword(next.username, next.password, { signal: input.signal });
  try {
    await place.write(next);
  } catch (error) {
    if (!kept) throw error;
    // Even after Ctrl-C: otherwise the drivers could not log in again.
    await sso.resetPassword(kept.username, kept.password);
    throw error;
  }
};
