// Takes the pictures of the monitoring guide: the dashboard with the facts of its own tests, in Chromium, as small WebP files.
//   node tools/pictures.mjs             writes docs/images/monitoring-*.webp
// The bytes depend on the browser and its fonts, so that no check compares them: run it when the page has changed.
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { loadTypeScript } from './load-typescript.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const most = 120_000;

/** File, state of packages/dashboard/src/testing/states.ts, address within the page, the heading at the top of the picture, height. */
const pictures = [
  { file: 'monitoring-fault', state: 'actionRequired', hash: '#/', heading: 'What needs attention', height: 290 },
  {
    file: 'monitoring-rates',
    state: 'scraped',
    hash: '#/time?range=7d',
    heading: 'Operations on volumes',
    height: 640,
  },
];

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (executablePath === undefined) throw new Error('no browser found: install the package chromium');
const { serveState } = await loadTypeScript(`${root}tools/pictures/serve-state.ts`);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const { file, state, hash, heading, height } of pictures) {
    const server = await serveState(state);
    const page = await browser.newPage({
      viewport: { width: 1280, height: 900 },
      colorScheme: 'light',
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    });
    await page.goto(`${server.url}/${hash}`);
    const place = await page.getByRole('heading', { name: heading }).first().boundingBox();
    // Plots draw themselves after the page is there.
    await page.waitForTimeout(1_000);
    const clip = { x: 0, y: Math.max(0, place.y - 24), width: 1280, height, scale: 1 };
    const session = await page.context().newCDPSession(page);
    const shot = { format: 'webp', quality: 60, clip, captureBeyondViewport: true };
    const { data } = await session.send('Page.captureScreenshot', shot);
    const picture = Buffer.from(data, 'base64');
    if (picture.length > most)
      throw new Error(`${file} has ${picture.length} bytes, at most ${most}: take less of the page`);
    writeFileSync(`${root}docs/images/${file}.webp`, picture);
    console.log(`wrote docs/images/${file}.webp: ${picture.length} bytes`);
    await page.close();
    await server.close();
  }
} finally {
  await browser.close();
}
