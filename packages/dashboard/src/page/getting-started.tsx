import type { Summary } from '../model.ts';
import { CopyCommand } from './parts.tsx';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly commands: readonly string[];
}

const steps: readonly Step[] = [
  {
    title: 'Install the operator',
    text: 'Creates the CRDs and runs the operator in the namespace vmware-system-vdo. Changes nothing in vCenter.',
    commands: ['vdoctl install'],
  },
  {
    title: 'Connect your vCenter',
    text: 'A wizard asks for the server and the account, tests both, and creates the VSphereDrivers resource.',
    commands: ['vdoctl configure'],
  },
  {
    title: 'Wait until the state is Healthy',
    text: 'The operator runs its checks and installs the drivers when they pass. This page updates by itself.',
    commands: ['vdoctl status -w'],
  },
];

/** With nothing installed: the next step, and the exact command. */
export const GettingStarted = ({ setup }: { readonly setup: Summary['setup'] }) => {
  const next = setup === 'not-installed' ? 0 : 1;
  return (
    <div class="start">
      <h1>
        {next === 0 ? 'VDO is not installed on this cluster' : 'The operator is installed. Next: connect your vCenter'}
      </h1>
      <ol>
        {steps.map(({ title, text, commands }, index) => (
          <li
            key={title}
            class={index < next ? 'done' : index === next ? 'next' : ''}
            aria-current={index === next ? 'step' : undefined}
          >
            <h2>
              {title}
              {index < next ? ' (done)' : ''}
            </h2>
            <p>{text}</p>
            {index < next ? '' : commands.map((command) => <CopyCommand key={command} command={command} />)}
          </li>
        ))}
      </ol>
    </div>
  );
};
