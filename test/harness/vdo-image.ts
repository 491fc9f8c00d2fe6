import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createTempFolder } from './cleanup.ts';
import { run } from './run.ts';

const imageTool = fileURLToPath(new URL('../../tools/image.mjs', import.meta.url));
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const lockTool = fileURLToPath(new URL('../../tools/image/lock.mjs', import.meta.url));

/**
 * Makes the images of a release into an OCI layout in `folder`; gives back what the tool prints. Debian removes a package from its mirrors when it
 * replaces it: then the images are made of today's packages, and the pins have to be renewed with `npm run image:lock`.
 */
export const makeImages = async (
  folder: string,
  {
    registry,
    architecture,
    env = {},
  }: { registry: string; architecture?: string; env?: Readonly<Record<string, string>> },
): Promise<string> => {
  const flags = ['--out', folder, '--registry', registry, ...(architecture ? ['--architecture', architecture] : [])];
  const make = (...more: readonly string[]) =>
    run(process.execPath, [imageTool, ...flags, ...more], { timeoutMs: 600_000, env });
  try {
    return await make();
  } catch (error) {
    if (!String(error).includes('npm run image:lock')) throw error;
    console.warn(`the pinned packages are gone, today's are used: renew them with npm run image:lock\n${error}`);
    const packages = `${folder}.packages.json`;
    await run(process.execPath, [lockTool, packages], { timeoutMs: 300_000 });
    return make('--packages', packages);
  }
};

/** The images of a release for this machine, named after a registry, as an archive that container runtimes import. */
export async function vdoImageArchive(registry: string): Promise<Buffer> {
  const folder = await createTempFolder('vdo-image');
  try {
    const layout = folder.file('layout');
    await makeImages(layout, { registry, architecture: architectures[process.arch] ?? process.arch });
    await run('tar', ['-C', layout, '-cf', folder.file('images.tar'), '.']);
    return await readFile(folder.file('images.tar'));
  } finally {
    await folder.remove();
  }
}
