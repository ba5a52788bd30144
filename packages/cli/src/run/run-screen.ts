import type { RunSummary } from '@sallyport/protocol';
import { visibleLine } from '../output.ts';
import { describeChanges } from './describe-changes.ts';

const MOST_HOSTS = 8;
const MOST_QUESTIONS = 6;

/** What a run did, on one screen: counts, hosts, questions, and what would have avoided them. */
export function runScreen(summary: RunSummary, suggest: boolean): readonly string[] {
  const { calls, reads, writes, asked, approved, denied, refused, hosts, questions, suggestions } = summary;
  const seconds =
    summary.ended_at === null ? 0 : (Date.parse(summary.ended_at) - Date.parse(summary.started_at)) / 1000;
  const lines = [
    `sallyport  ${summary.confinement === 'jailed' ? 'jailed' : 'UNCONFINED'} run of ${summary.agent}, ${lasted(seconds)}  (${summary.session_id})`,
    `  calls    ${calls}: ${reads} read, ${writes} written, ${refused} refused by policy`,
    `  asked    ${asked}: ${approved} approved, ${denied} denied or unanswered`,
  ];
  if (hosts.length > 0) {
    const shown = hosts.slice(0, MOST_HOSTS).map(({ host, reads: r, writes: w, refused: n }) => {
      const counts = [r > 0 ? `${r} r` : '', w > 0 ? `${w} w` : '', n > 0 ? `${n} refused` : ''];
      return `${host} (${counts.filter(Boolean).join(', ')})`;
    });
    const more = hosts.length - MOST_HOSTS;
    lines.push(`  hosts    ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`);
  }
  for (const [index, { what, times, outcome }] of questions.slice(0, MOST_QUESTIONS).entries()) {
    const text = `${outcome}: ${visibleLine(what)}${times > 1 ? ` (${times} times)` : ''}`;
    lines.push(`  ${index === 0 ? 'questions' : '         '} ${text}`);
  }
  if (questions.length > MOST_QUESTIONS) {
    lines.push(
      `            and ${questions.length - MOST_QUESTIONS} more: sallyport audit search ${summary.session_id}`,
    );
  }
  if (summary.changes !== null) lines.push(...describeChanges(summary.changes, summary.session_id));
  if (suggest) lines.push(...suggestionLines(suggestions));
  else if (suggestions.length > 0) {
    lines.push('  next     --suggest shows the rules that would have avoided the questions you approved');
  }
  if (!summary.complete)
    lines.push('  note     the run did more than is counted here: sallyport audit search');
  return lines;
}

function suggestionLines(suggestions: RunSummary['suggestions']): readonly string[] {
  if (suggestions.length === 0) return ['  suggest  nothing: no rule would have avoided a question'];
  const under = (setting: string): readonly string[] =>
    suggestions
      .filter((one) => one.setting === setting)
      .map(({ line, avoids }) => `    ${line}  # ${avoids} ${avoids === 1 ? 'question' : 'questions'}`);
  const [network, exceptions] = [under('network.rules'), under('exceptions')];
  return [
    '  suggest  review before use; each line is a standing yes',
    ...(network.length === 0 ? [] : ['  network.rules:', ...network]),
    ...(exceptions.length === 0 ? [] : ['  tenants.<t>.exceptions:', ...exceptions]),
  ];
}

function lasted(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
