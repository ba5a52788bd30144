import { CHANNEL_NAMES, CHANNELS } from '../../packages/gateway/src/approvals/index.ts';
import { table } from './markdown-table.ts';

/** The end of docs/config.md: what can be named there, printed from the definitions of each. */
export function renderBuiltIns(): string {
  return ['', '# What is built in', '', ...channels()].join('\n');
}

function channels(): readonly string[] {
  return [
    '## Channels',
    '',
    'In the order in which they are tried. How each is set up: [approvals.md](approvals.md).',
    '',
    ...table(
      ['channel', 'needs', 'what proves an answer'],
      CHANNEL_NAMES.map((name) => [`\`${name}\``, CHANNELS[name].docs.needs, CHANNELS[name].docs.proof]),
    ),
  ];
}
