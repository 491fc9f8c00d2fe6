import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { worlds } from '../../testing/rendered-worlds.ts';
import { boundRoles } from './bound-roles.ts';
import { driverRoles } from './driver-roles.ts';

describe('the roles that come with the operator', () => {
  it('never change under a name: clusters of other versions have them, and a release that needs more has another layout', async () => {
    const text = driverRoles.map((role) => `---\n${stringify(role, { lineWidth: 0, aliasDuplicateObjects: false })}`);
    await expect(text.join('')).toMatchFileSnapshot('../golden/driver-roles.yaml');
  });

  it('have names of their own', () => {
    const names = driverRoles.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^vdo:[a-z]+(-[a-z]+)?-\d:[a-z-]+$/);
  });

  it('are all bound, except those that programs of old releases need', () => {
    const bound = new Set(worlds.flatMap(([, objects]) => boundRoles(objects).map(({ name }) => name)));
    expect(driverRoles.map(({ name }) => name).filter((name) => !bound.has(name))).toEqual([
      // With separate accounts per driver, and before 1.32 of the upstream cloud controller manager.
      'vdo:native-cpi-1:own-credentials',
      'vdo:native-csi-1:own-credentials',
      'vdo:upstream-cpi-1:all-secrets',
    ]);
  });
});
