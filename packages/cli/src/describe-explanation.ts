import type { ExplanationWire } from '@sallyport/protocol';
import { type Output, type Style, table } from './output.ts';

const STYLE: Readonly<Record<ExplanationWire['outcome'], Style>> = {
  allow: 'green',
  ask: 'yellow',
  deny: 'red',
};

const ANSWERED_BY = {
  review: 'a reviewer or a person answers',
  human: 'a person answers, or a grant that a person gave',
  'each-time': 'a person answers, each time; no grant does',
} as const;

type Layer = ExplanationWire['layers'][number];

/** What a person reads: the answer and the setting behind it, then layer by layer why, then what to change. */
export function describeExplanation(explanation: ExplanationWire, output: Output): readonly string[] {
  const { outcome, strength, violation, reason, layers, change, models, grants, action } = explanation;
  const decided = decidingLayer(explanation);
  const facts = [
    decided === undefined
      ? 'decided by nobody: what no layer allows asks'
      : [`decided by ${decided.layer}`, ...(isBuiltIn(decided) ? ['built in'] : settingOf(decided))].join(
          ', ',
        ),
    ...(strength === undefined ? [] : [ANSWERED_BY[strength]]),
    ...(violation === undefined ? [] : [`the agent is told \`${violation}\``]),
  ];
  const speaking = layers.filter(({ says, reason: why }) => says !== 'nothing' || why !== undefined);
  const silent = layers.filter((layer) => !speaking.includes(layer)).map(({ layer }) => layer);
  return [
    ...wrapText(`${outcome}: ${reason}`, '', '  ').map((line, index) =>
      index === 0 ? `${output.style(STYLE[outcome], outcome)}${line.slice(outcome.length)}` : line,
    ),
    ...facts.map((fact) => `  ${fact}`),
    '',
    ...wrapText(describeAction(action), '', '  '),
    ...columns(
      speaking.map((layer) => [
        `  ${layer.layer}`,
        saysOf(layer),
        layer === decided ? (layer.reason ?? '') : opinionOf(layer),
      ]),
    ),
    ...(silent.length === 0 ? [] : [output.style('dim', `  silent: ${silent.join(', ')}`)]),
    '',
    ...grants.map(({ id, covers }) => `→ a grant answers it already: ${covers} (${id})`),
    ...[...models, ...change, ...jailNote(explanation)].flatMap((line) => wrapText(line, '→ ', '  ')),
  ];
}

/** A table whose last column goes on below itself. */
function columns(rows: readonly (readonly [string, string, string])[]): readonly string[] {
  const starts = table(rows.map(([first, second]) => [first, second, '']));
  return rows.flatMap(([, , text], index) => {
    const start = starts[index] ?? '';
    return wrapText(text, start, ' '.repeat(start.length));
  });
}

/** The layer whose word became the answer; nobody's when all were silent. */
function decidingLayer({ outcome, strength, layers }: ExplanationWire): Layer | undefined {
  return layers.find(({ says, strength: how }) => says === outcome && how === strength);
}

function saysOf({ says, strength }: Layer): string {
  return strength === undefined ? says : `${says} (${strength})`;
}

/** No setting is behind it: some things are refused or asked whatever the config says. */
function isBuiltIn({ layer, says, rule }: Layer): boolean {
  return rule === undefined && says !== 'allow' && ['visibility', 'boundary', 'mode'].includes(layer);
}

function opinionOf(layer: Layer): string {
  const { reason = '', rule } = layer;
  const [quote, place] = settingOf(layer);
  if (quote === undefined) return reason;
  return rule !== undefined && reason.includes(`\`${rule}\``)
    ? [reason, ...(place === undefined ? [] : [place])].join(', ')
    : [reason, quote, ...(place === undefined ? [] : [place])].join(', ');
}

/** The rule or setting as it is written, and where. */
function settingOf({ rule, at }: Layer): readonly string[] {
  if (rule === undefined) return [];
  return at === undefined ? [`\`${rule}\``] : [`\`${rule}\``, `${at.file}:${at.line}`];
}

function describeAction({
  tool,
  type,
  effect,
  reach,
  risk,
  does,
  agent,
  about,
  confinement,
}: ExplanationWire['action']): string {
  const where = confinement === 'jailed' ? 'in a jail' : 'without a jail';
  const who = about === undefined ? agent : `${agent} (${about})`;
  return `${tool} by ${who}, ${where}: a ${reach} ${effect}, type ${type}, risk ${risk}${does === null ? '' : `: ${does}`}`;
}

/** A command in a jail passes easily, and people must not take that for what becomes of its requests. */
function jailNote({ outcome, action }: ExplanationWire): readonly string[] {
  const isCommand = action.tool === 'Bash' || action.tool === 'cmd.run';
  // What writes code may fetch it as well: `npm install`.
  const staysInside = action.type === 'code:read' || action.type === 'code:delete';
  if (outcome === 'deny' || action.confinement !== 'jailed' || !isCommand || staysInside) return [];
  return [
    'this is the command alone: what it sends out of the jail is judged again at the proxy or SSH door (ask with --http or --cli)',
  ];
}

const COLUMNS = 100;

/**
 * Lines of at most 100 columns, the first after `first`, the others after `rest`. What stands in backticks is
 * never broken, because people copy it; such a line may be longer.
 */
export function wrapText(text: string, first: string, rest: string): readonly string[] {
  const words = text.match(/(?:`[^`]*`|[^\s`])+/g) ?? [];
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
