import { spawnSync } from 'node:child_process';

/** The addresses that apt was set up with, one per line; empty without apt. */
const askApt = (): string =>
  spawnSync('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Identifier: Packages'], { encoding: 'utf8' })
    .stdout ?? '';

export interface MirrorOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly targets?: () => string;
}

/**
 * Where packages of Debian come from: an address below which `debian/` and `debian-security/` are. What a mirror serves is compared with the
 * checksums, so it need not be trusted.
 */
export const debianMirror = ({ env = process.env, targets = askApt }: MirrorOptions = {}): string => {
  if (env['DEBIAN_MIRROR']) return env['DEBIAN_MIRROR'].replace(/\/+$/, '');
  const found = targets()
    .split('\n')
    .find((address) => /^https?:\/\/.*\/debian\/?$/.test(address));
  if (found) return found.replace(/\/debian\/?$/, '');
  throw new Error(
    'no mirror of Debian is known: apt is not set up with one. Set DEBIAN_MIRROR to the address below which debian/ and debian-security/ are.',
  );
};
