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
    text: 'It brings the definitions and runs in the namespace vmware-system-vdo. Nothing is changed in vCenter.',
    commands: ['vdoctl install'],
  },
  {
    title: 'Describe your vCenter',
    text: 'The wizard asks for the server and the account, tries them, and writes the VSphereDrivers resource.',
    commands: ['vdoctl configure'],
  },
  {
    title: 'Watch it become Healthy',
    text: 'The operator runs its checks first and installs the drivers when they pass. This page follows by itself.',
    commands: ['vdoctl status -w'],
  },
];

/** With nothing installed: the next step, and the exact command. */
export const GettingStarted = ({ setup }: { readonly setup: Summary['setup'] }) => {
  const next = setup === 'not-installed' ? 0 : 1;
  return (
    <div class="start">
      <h1>
        {next === 0 ? 'VDO is not installed on this cluster' : 'The operator is installed. Tell it about your vCenter'}
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
