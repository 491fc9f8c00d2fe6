import { describe, expect, test } from 'vitest';
import { guestOsName, instanceTypeOf } from './instance-type.ts';

// The labels of running clusters: a change here would split node groups.
const names = `
ubuntu64Guest=ubuntu ubuntuGuest=ubuntu centos64Guest=centos64 centos7_64Guest=centos7 centosGuest=centos
rhel8_64Guest=rhel8 rhel10_64Guest=rhel10 redhatGuest=rhel sles64Guest=sles64 sles12_64Guest=sles12 slesGuest=sles
debian10_64Guest=debian10 debian4Guest=debian4 vmwarePhoton64Guest=photon coreos64Guest=coreos fedora64Guest=fedora
otherLinux64Guest=linux other3xLinux64Guest=linux other26xLinuxGuest=linux genericLinuxGuest=linux otherGuest=other
otherGuest64=other oracleLinux64Guest=oracleLinux oracleLinux7_64Guest=oracleLinux7 asianux5_64Guest=asianux5
darwin16_64Guest=darwin darwinGuest=darwin freebsd64Guest=freebsd opensuse64Guest=opensuse suseGuest=suse
solaris11_64Guest=solaris11 vmkernel65Guest=vmkernel65 vmkernelGuest=vmkernel unixWare7Guest=unixware7 eComStation2Guest=eComStation2
turboLinux64Guest=turbolinux windows7Server64Guest=win7server windows9_64Guest=win10 windows9Server64Guest=win10server
windowsHyperVGuest=windowshyperv winNetEnterprise64Guest=winnetenterprise win2000ServGuest=win2000serv winXPPro64Guest=winxppro
winNTGuest=winnt win31Guest=win31 dosGuest=dos netware6Guest=netware6 nld9Guest=nld9 os2Guest=os2
debian12_64Guest=unknown rockylinux_64Guest=unknown other5xLinux64Guest=unknown windows2019srv_64Guest=unknown ubuntu=unknown =unknown`;

describe('guestOsName', () => {
  test.each(
    names
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  )('%j is %s', (guestId, name) => {
    expect(guestOsName(guestId)).toBe(name);
  });
});

test.each([
  [{ numCpu: 4, memoryMb: 8192, guestId: 'ubuntu64Guest' }, 'vsphere-vm.cpu-4.mem-8gb.os-ubuntu'],
  [{ numCpu: 2, memoryMb: 3500, guestId: 'x' }, 'vsphere-vm.cpu-2.mem-3gb.os-unknown'],
  [{ numCpu: 1, memoryMb: 512, guestId: 'otherGuest' }, 'vsphere-vm.cpu-1.mem-0gb.os-other'],
])('the instance type of %o is %s', (vm, expected) => {
  expect(instanceTypeOf(vm)).toBe(expected);
});
