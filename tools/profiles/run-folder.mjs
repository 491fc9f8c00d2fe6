// A folder for everything that a run of `npm run profiles` makes: the tests find it as their TMPDIR. csi-sanity mounts and attaches loop
// devices below it, which outlive whoever is killed; so they are found by the folder, at the end of the run or at the start of the next.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'vdo-profiles-';
const isBelow = (folder) => (path) => path.startsWith(`${folder}/`);

/** Mount points below the folder, the innermost first. Of a line of mountinfo the fifth word is the mount point, escaped as octal. */
export const mountsBelow = (mountinfo, folder) =>
  mountinfo
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .map((path) => path.replace(/\\(\d{3})/g, (_all, octal) => String.fromCharCode(Number.parseInt(octal, 8))))
    .filter(isBelow(folder))
    .reverse();

/** Loop devices over files below the folder, from the output of `losetup --list --json`. */
export const loopDevicesBelow = (listing, folder) =>
  (listing === '' ? [] : JSON.parse(listing).loopdevices)
    .filter((device) => isBelow(folder)(device['back-file'] ?? ''))
    .map(({ name }) => name);

const call = (command, ...args) => spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '';

/** Processes that were started with the folder as their TMPDIR. */
const processesOf = (folder) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`TMPDIR=${folder}`);
      } catch {
        return false;
      }
    })
    .map(Number);

const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const endProcesses = (folder) => {
  for (const pid of processesOf(folder))
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  for (let tries = 0; tries < 50 && processesOf(folder).length > 0; tries++) pause(100);
};

/** Ends the processes that use the folder, unmounts, detaches and deletes all that is below it, and the folder. */
export const removeRunFolder = (folder) => {
  endProcesses(folder);
  const mountinfo = () => readFileSync('/proc/self/mountinfo', 'utf8');
  for (const path of mountsBelow(mountinfo(), folder)) call('umount', path);
  // What is busy leaves as soon as its last user does.
  for (const path of mountsBelow(mountinfo(), folder)) call('umount', '--lazy', path);
  for (const device of loopDevicesBelow(call('losetup', '--list', '--json'), folder))
    call('losetup', '--detach', device);
  const left = mountsBelow(mountinfo(), folder);
  if (left.length > 0) throw new Error(`cannot unmount ${left.join(', ')}: unmount them, then delete ${folder}`);
  rmSync(folder, { recursive: true, force: true });
};

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Folders of runs whose process is gone. */
export const abandonedFolders = (parent = tmpdir()) =>
  readdirSync(parent)
    .filter((name) => name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length).split('-')[0])))
    .map((name) => join(parent, name));

/** A new folder, after those of runs that were killed are gone. */
export const createRunFolder = () => {
  for (const folder of abandonedFolders()) {
    removeRunFolder(folder);
    console.log(`removed ${folder}, which an interrupted run had left`);
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
};
