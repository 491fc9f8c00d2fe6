import { quoted } from '../administrator.ts';
import { type Check, fail, pass, skipped, unknown, type Verdict, warn } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import { vcenterObject } from './reachability.ts';

const maxSkewMs = 60_000;
/** Ours are two per program; what goes far beyond is a leak, of ours or of another program with the same account. */
const manySessions = 50;
/** A vCenter serves about 2000 in all, and 550 REST sessions of one user. */
const tooManySessions = 500;

const judgeSkew = (facts: VCenterFacts): Verdict => {
  const object = vcenterObject(facts);
  const reading = facts.clockSkewMs;
  if (!reading || 'error' in reading)
    return unknown(object, 'its time is not known', 'vcenter/answers and credentials/login');
  const seconds = Math.round(reading.value / 1000);
  if (Math.abs(reading.value) <= maxSkewMs) return pass(object, `its clock differs by ${seconds} s`);
  return fail(object, {
    reason: 'ClockSkew',
    message: `its clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock here, expected at most ${maxSkewMs / 1000} s`,
    remedy: `Give both the same time servers: on the vCenter in https://${object.name}:5480 (Time, Edit, NTP), on the nodes in /etc/chrony.conf or by timedatectl set-ntp true.`,
  });
};

const judgeLeak = (facts: VCenterFacts): Verdict => {
  const object = vcenterObject(facts);
  const { sessions } = facts;
  if (!sessions || 'error' in sessions)
    return unknown(object, 'its sessions are not known', 'vcenter/answers and credentials/login');
  if (!sessions.value)
    return skipped(object, 'the account may not list sessions, which a least-privilege one need not');
  const count = sessions.value.length;
  if (count < manySessions) return pass(object, `the account has ${count} sessions`);
  const agents = [...new Set(sessions.value.map(({ userAgent }) => userAgent || 'unnamed'))].slice(0, 5).join(', ');
  const user = sessions.value[0]?.userName ?? 'the account';
  return (count < tooManySessions ? warn : fail)(object, {
    reason: 'SessionLeak',
    message: `${user} has ${count} sessions, expected fewer than ${manySessions}; programs: ${agents}`,
    remedy:
      'End those that nobody uses (govc session.rm KEY), and give other programs an account of their own. This lists them:',
    commands: [`govc session.ls | grep -F ${quoted(user.split('\\').at(-1) ?? '')}`],
  });
};

export const clockSkewCheck: Check = {
  id: 'vcenter/clock-skew',
  title: 'The clocks of vCenter and cluster differ by at most 60 seconds.',
  meaning: 'Tokens of single sign-on and certificates are refused when clocks differ, and the times in logs mislead.',
  remedy:
    'Use the same NTP servers: on the vCenter in the management interface (`https://SERVER:5480`, Time), on the nodes with chrony or systemd-timesyncd.',
  action: 'BlockUpgrade',
  judge: ({ vcenters }) => vcenters.map(judgeSkew),
};

export const sessionLeakCheck: Check = {
  id: 'vcenter/session-leak',
  title: 'The account has few sessions on the vCenter.',
  meaning:
    'A vCenter that runs out of sessions refuses everybody. It is looked at only if the account may list sessions.',
  remedy: '`govc session.ls` shows them, `govc session.rm KEY` ends one. Give each program an account of its own.',
  action: 'BlockUpgrade',
  judge: ({ vcenters }) => vcenters.map(judgeLeak),
};
