import { quoted } from '../administrator.ts';
import { type Check, fail, pass, skipped, unknown, type Verdict, warn } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import { vcenterObject } from './reachability.ts';

const maxSkewMs = 60_000;
/** VDO uses two per program; many more indicate a leak in VDO or in another program with the same account. */
const manySessions = 50;
/** A vCenter serves about 2000 in all, and 550 REST sessions of one user. */
const tooManySessions = 500;

const judgeSkew = (facts: VCenterFacts): Verdict => {
  const object = vcenterObject(facts);
  const reading = facts.clockSkewMs;
  if (!reading || 'error' in reading)
    return unknown(object, 'its time is unknown', 'vcenter/answers and credentials/login');
  const seconds = Math.round(reading.value / 1000);
  if (Math.abs(reading.value) <= maxSkewMs) return pass(object, `its clock differs by ${seconds} s`);
  return fail(object, {
    reason: 'ClockSkew',
    message: `its clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock here, expected at most ${maxSkewMs / 1000} s`,
    remedy: `Configure the same time servers for both: on the vCenter in https://${object.name}:5480 (Time, Edit, NTP), on the nodes in /etc/chrony.conf or by timedatectl set-ntp true.`,
  });
};

const judgeLeak = (facts: VCenterFacts): Verdict => {
  const object = vcenterObject(facts);
  const { sessions } = facts;
  if (!sessions || 'error' in sessions)
    return unknown(object, 'its sessions are unknown', 'vcenter/answers and credentials/login');
  if (!sessions.value)
    return skipped(object, 'the account has no privilege to list sessions, which the drivers do not need');
  const count = sessions.value.length;
  if (count < manySessions) return pass(object, `the account has ${count} sessions`);
  const agents = [...new Set(sessions.value.map(({ userAgent }) => userAgent || 'unnamed'))].slice(0, 5).join(', ');
  const user = sessions.value[0]?.userName ?? 'the account';
  return (count < tooManySessions ? warn : fail)(object, {
    reason: 'SessionLeak',
    message: `${user} has ${count} sessions, expected fewer than ${manySessions}; programs: ${agents}`,
    remedy:
      'End unused sessions (govc session.rm KEY), and give other programs their own accounts. To list the sessions:',
    commands: [`govc session.ls | grep -F ${quoted(user.split('\\').at(-1) ?? '')}`],
  });
};

export const clockSkewCheck: Check = {
  id: 'vcenter/clock-skew',
  title: 'The clocks of vCenter and cluster differ by at most 60 seconds.',
  meaning: 'Single sign-on tokens and certificates are rejected when clocks differ, and times in logs are misleading.',
  remedy:
    'Use the same NTP servers: on the vCenter in the management interface (`https://SERVER:5480`, Time), on the nodes with chrony or systemd-timesyncd.',
  action: 'BlockUpgrade',
  judge: ({ vcenters }) => vcenters.map(judgeSkew),
};

export const sessionLeakCheck: Check = {
  id: 'vcenter/session-leak',
  title: 'The account has fewer than 50 sessions on the vCenter.',
  meaning:
    'A vCenter that runs out of sessions rejects all logins. This is checked only if the account has the privilege to list sessions.',
  remedy: '`govc session.ls` shows them, `govc session.rm KEY` ends one. Give each program its own account.',
  action: 'BlockUpgrade',
  judge: ({ vcenters }) => vcenters.map(judgeLeak),
};
