// Records what vdoctl prints in a sandbox, for the moving picture at the top of the README.
//   node tools/recording.mjs     runs a sandbox for about a minute and writes tools/recording/sandbox.txt
//   npm run generate             makes docs/images/sandbox.svg of it
// The text is committed: the picture can be made again without a sandbox. Lines that a terminal overwrites, addresses and passwords are left out.
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = `${root}apps/vdoctl/bin/vdoctl.mjs`;
const name = 'recording';
const timeoutMs = 300_000;

/** What it prints. A status that is not healthy ends with 3. */
const vdoctl = (...words) =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [program, '--sandbox', name, ...words], { cwd: root }, (error, out) => {
      if (error && error.code !== 3) reject(error);
      else resolve(out);
    });
  });

/** The status, as soon as it begins with a word. */
const statusThatSays = async (word) => {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const text = await vdoctl('status');
    if (text.startsWith(word)) return text;
    if (Date.now() > endMs) throw new Error(`vdoctl status does not say ${word}:\n${text}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
};

/** Starts a sandbox, and gives what it printed until it runs. */
const start = () => {
  const child = spawn(process.execPath, [program, 'sandbox', '--name', name, '--simulate-mounts'], { cwd: root });
  const printed = new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        text += String(chunk);
        if (text.includes('runs until you press Ctrl-C')) resolve(text);
      });
    child.once('close', (code) => reject(new Error(`the sandbox ended with ${code}:\n${text}`)));
  });
  return { child, printed };
};

/** The lines that stay on a terminal while it starts. */
const linesThatStay = (text) =>
  text
    .split('\n')
    .filter((line, index) => index === 0 || /^(ok|Healthy) /.test(line))
    .join('\n');

const sandbox = start();
try {
  const steps = [
    ['npx vdoctl sandbox', linesThatStay(await sandbox.printed)],
    ['npx vdoctl status', await statusThatSays('Healthy')],
    ['npx vdoctl sandbox break disk-uuid-off', await vdoctl('sandbox', 'break', 'disk-uuid-off')],
    ['npx vdoctl status', await statusThatSays('Degraded')],
    ['npx vdoctl sandbox heal', await vdoctl('sandbox', 'heal')],
    ['npx vdoctl status', await statusThatSays('Healthy')],
  ];
  const text = steps.map(([command, output]) => `$ ${command}\n${output.trimEnd()}\n`).join('\n');
  const file = `${root}tools/recording/sandbox.txt`;
  // The recorded sandbox has a name of its own, because another one may run here; the reader's has none.
  const asOnlyOne = text.replaceAll(`vdoctl --sandbox ${name} `, 'vdoctl ');
  writeFileSync(file, asOnlyOne.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:6443'));
  console.log(`wrote ${file}; next: npm run generate`);
} finally {
  sandbox.printed.catch(() => undefined);
  sandbox.child.kill('SIGINT');
}
