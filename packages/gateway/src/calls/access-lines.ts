import { type AccessRequest, RISKS, type Risk } from '@sallyport/protocol';
import type { AccessGrant, Foreseen } from '../gate/index.ts';
import { visibleLine, visibleText } from '../shared/visible-text.ts';

export type Want = AccessRequest['wants'][number];

/** One line of a whole task, and what would become of it. */
export interface AccessLine {
  readonly want: Want;
  readonly foreseen: Foreseen;
}

/** The grants that a yes leaves: one for each line that people can answer beforehand. */
export function grantsOf(lines: readonly AccessLine[]): readonly AccessGrant[] {
  return lines.flatMap(({ want: { count }, foreseen }) =>
    foreseen.kind === 'askable'
      ? [{ covers: foreseen.covers, ...(count === undefined ? {} : { most: count }) }]
      : [],
  );
}

/** The highest of what is asked for. */
export function riskOfLines(lines: readonly AccessLine[]): Risk {
  const risks = lines.map(({ foreseen }) => (foreseen.kind === 'askable' ? RISKS.indexOf(foreseen.risk) : 0));
  return RISKS[Math.max(0, ...risks)] ?? 'critical';
}

/** For people: every line in our words; what is the agent's own is marked as such. */
export function previewOf(purpose: string, lines: readonly AccessLine[]): string {
  return visibleText(
    [
      'A yes leaves one standing answer for each of these lines, until the session ends:',
      ...wordsOf(lines, 'askable', ({ want: { count }, foreseen }, index) => {
        const words = foreseen.kind === 'askable' ? foreseen.words : '';
        return `${index + 1}. ${words}${timesOf(count)}`;
      }),
      ...leftOut(lines, 'denied', 'Struck out, the policy denies it:'),
      ...leftOut(lines, 'each-time', 'Left out, it is asked about each time:'),
      ...leftOut(lines, 'allowed', 'Needs no yes:'),
      '',
      `What for, in the agent's own words: ${JSON.stringify(visibleLine(purpose))}`,
    ].join('\n'),
  );
}

/** For the agent: what it may do now, and what it still has to ask for. */
export function answerOf(lines: readonly AccessLine[]): string {
  return [
    'Granted for this session:',
    ...wordsOf(lines, 'askable', ({ want }) => `- ${nameOf(want)}${timesOf(want.count)}`),
    ...leftOut(lines, 'denied', 'Struck out, the policy denies it:'),
    ...leftOut(lines, 'each-time', 'Left out, a person is asked each time you do it:'),
    ...leftOut(lines, 'allowed', 'Needs no consent:'),
  ].join('\n');
}

export function nameOf({ operation, object }: Want): string {
  return object === ''
    ? `\`${visibleLine(operation)}\``
    : `\`${visibleLine(operation)}\` on ${visibleLine(object)}`;
}

export function reasonOf({ foreseen }: AccessLine): string | undefined {
  return foreseen.kind === 'denied' || foreseen.kind === 'each-time'
    ? visibleLine(foreseen.reason)
    : undefined;
}

function timesOf(count: number | undefined): string {
  return count === undefined ? '' : `, ${count === 1 ? 'once' : `${count} times`} at most`;
}

function wordsOf(
  lines: readonly AccessLine[],
  kind: Foreseen['kind'],
  say: (line: AccessLine, index: number) => string,
): readonly string[] {
  return lines.filter(({ foreseen }) => foreseen.kind === kind).map(say);
}

function leftOut(lines: readonly AccessLine[], kind: Foreseen['kind'], heading: string): readonly string[] {
  const said = wordsOf(lines, kind, (line) => {
    const why = reasonOf(line);
    return `- ${nameOf(line.want)}${why === undefined ? '' : `: ${why}`}`;
  });
  return said.length === 0 ? [] : ['', heading, ...said];
}
