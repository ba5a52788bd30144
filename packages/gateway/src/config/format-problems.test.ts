import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatProblems } from './format-problems.ts';
import { writeFiles } from './load-config.fixture.ts';
import { loadConfig, problemsOf } from './load-config.ts';
import type { LocatedProblem } from './source/problem-list.ts';

function problemsOfText(text: string): {
  readonly folder: string;
  readonly problems: readonly LocatedProblem[];
} {
  const folder = writeFiles({ 'sallyport.yaml': text });
  try {
    loadConfig({ file: join(folder, 'sallyport.yaml'), env: {} });
  } catch (error) {
    return { folder, problems: problemsOf(error) };
  }
  throw new Error('the config is valid');
}

function format(text: string, color = false): string {
  const { folder, problems } = problemsOfText(text);
  return formatProblems(problems, { color }).replaceAll(`${folder}/`, '');
}

test('people see the place, the line with a caret, and what to do', () => {
  expect(format('log:\n  levle: info\nsessions: { ttl: soon }\n')).toBe(`\
sallyport.yaml:2:3: error: unknown key \`levle\`
    levle: info
    ^
  hint: did you mean \`level\`?

sallyport.yaml:3:18: error: not a duration
  sessions: { ttl: soon }
                   ^
  hint: write a number with its unit: \`500ms\`, \`30s\`, \`15m\`, \`1h30m\`, \`7d\``);
});

test('colours come only when asked for', () => {
  expect(format('x: 1\n', true)).toContain('\u001b[31merror\u001b[0m');
  expect(format('x: 1\n')).not.toContain('\u001b');
});

test('[CR-1] a line that may hold a secret is not shown', () => {
  const sink = '{ kind: webhook, url: "https://x.example", secret: hunter2 }';
  expect(format(`audit:\n  sinks: [${sink}]\n`)).not.toContain('hunter2');
  const token = `ghp_${'a1'.repeat(18)}`;
  expect(format(`agents: { a: { description: ${token} } }\n`)).not.toContain(token);
  expect(format(`unknown: ${token}\n`)).not.toContain(token);
});

test('a long line is cut around the place', () => {
  const [, line = '', caret = ''] = format(
    `agents: { a: { description: "${'x'.repeat(300)}", oops: 1 } }\n`,
  ).split('\n');
  expect(line.length).toBeLessThanOrEqual(122);
  expect(line.slice(caret.indexOf('^'))).toMatch(/^oops/);
});

test('a file that is gone leaves the message', () => {
  const { folder, problems } = problemsOfText('x: 1\n');
  rmSync(join(folder, 'sallyport.yaml'));
  expect(formatProblems(problems, { color: false })).toMatch(
    /:1:1: error: unknown key `x`\n {2}hint: known here/,
  );
});
