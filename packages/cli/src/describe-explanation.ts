import type { ExplanationWire } from '@sallyport/protocol';
import { type Output, type Style, table } from './output.ts';

const STYLE: Readonly<Record<ExplanationWire['outcome'], Style>> = {
  allow: 'green',
  ask: 'yellow',
  deny: 'red',
};

/** What a person reads: the answer first, then why, layer by layer, then what to change. */
export function describeExplanation(explanation: ExplanationWire, output: Output): readonly string[] {
  const { outcome, strength, violation, reason, layers, change, grants, action } = explanation;
  const detail = strength === undefined ? violation : STRENGTH_WORDS[strength];
  const spoke = layers.filter(({ says }) => says !== 'nothing');
  const silent = layers.filter(({ says }) => says === 'nothing').map(({ layer }) => layer);
  const rows = spoke.map(({ layer, says, strength: how, reason: why, rule, at }) => [
    `  ${layer}`,
    how === undefined ? says : `${says} (${how})`,
    [
      why ?? '',
      rule === undefined || why?.includes(rule) === true ? '' : `\`${rule}\``,
      at === undefined ? '' : `${at.file}:${at.line}:${at.column}`,
    ]
      .filter((part) => part !== '')
      .join('  '),
  ]);
  return [
    `${output.style(STYLE[outcome], outcome)}${detail === undefined ? '' : `, ${detail}`}: ${reason}`,
    '',
    output.style(
      'dim',
      `${action.tool}: a ${action.reach} ${action.effect} of type ${action.type}, risk ${action.risk}, by ${action.agent} (${action.confinement})`,
    ),
    ...table(rows),
    ...(silent.length === 0 ? [] : [output.style('dim', `  no objection: ${silent.join(', ')}`)]),
    ...grants.map(({ id, covers }) => `\na grant would answer it: ${covers} (${id})`),
    '',
    ...change.map((line) => `→ ${line}`),
  ];
}

const STRENGTH_WORDS = {
  review: 'a reviewer may answer',
  human: 'a person or their grant answers',
  'each-time': 'a person answers, each time',
} as const;
