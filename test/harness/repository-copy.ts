import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTempFolder, type TempFolder } from './cleanup.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of the repository to plant faults in: its packages are its own, its dependencies those of the original. */
export const copyRepository = async (): Promise<TempFolder> => {
  const folder = await createTempFolder('copy');
  for (const name of [
    'apps',
    'packages',
    'deploy',
    'test',
    'tools',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    await cp(join(repository, name), folder.file(name), { recursive: true });
  await mkdir(folder.file('node_modules/@vdo'), { recursive: true });
  for (const name of await readdir(join(repository, 'node_modules')))
    if (name !== '@vdo') await symlink(join(repository, 'node_modules', name), folder.file(`node_modules/${name}`));
  for (const room of ['apps', 'packages'])
    for (const name of await readdir(folder.file(room)))
      await symlink(folder.file(`${room}/${name}`), folder.file(`node_modules/@vdo/${name}`));
  return folder;
};
