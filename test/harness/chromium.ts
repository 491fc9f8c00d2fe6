import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A browser without a window that talks to nobody but the pages of the test. */
export const startChromium = async (): Promise<Browser> => {
  const executablePath = places.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(`no browser found in ${places.join(', ')}: install Debian's package chromium`);
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
};
