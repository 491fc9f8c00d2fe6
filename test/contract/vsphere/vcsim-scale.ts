import { startVcsim } from '../../harness/vcsim.ts';
import { checkInventoryScale } from './inventory-scale.ts';

const idle = async () => {};

/** Follows the inventory of so many VMs on govmomi's vcsim, whose own cost grows with their square. */
export const checkScaleOnVcsim = async (vms: number) => {
  const vcsim = await startVcsim({ vms, hosts: 20 });
  try {
    const listed = await vcsim.govc('object.collect', '-json', '-type', 'm', '/', 'config.uuid');
    const uuids = [...listed.matchAll(/"(?:_value|val)":\s*"([0-9a-f-]{36})"/g)].map(([, uuid = '']) => uuid);
    const figures = await checkInventoryScale({
      target: {
        name: 'vcsim',
        server: vcsim.host,
        port: vcsim.port,
        thumbprint: vcsim.thumbprintSha256,
        username: vcsim.username,
        password: vcsim.password,
        control: { powerOff: idle, rename: idle, destroy: idle, tag: idle, endSessions: idle },
        stop: idle,
      },
      uuids,
      // By pattern: govc lists all VMs for each name that it is given.
      changeAll: async () => {
        for (let digit = 0; digit < 10; digit++)
          await vcsim.govc('vm.power', '-off', '-force', `DC0_C0_RP0_VM*${digit}`);
      },
    });
    console.log(figures);
    return uuids;
  } finally {
    await vcsim.stop();
  }
};
