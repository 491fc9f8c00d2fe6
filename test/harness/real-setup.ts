import { missingParts } from './parts.ts';

/** Runs once before the tests of project `real`: in CI a missing part is a failure, never a silent gap. */
export default function setup(): void {
  const missing = missingParts().map(({ name }) => name);
  if (missing.length === 0) return;
  const message = `parts not built: ${missing.join(', ')}. Build them with \`npm run parts\`, or run \`npm run test:real\`, which does.`;
  if (process.env['CI'] === 'true') throw new Error(message);
  console.warn(`${message} Tests that need them will fail.`);
}
