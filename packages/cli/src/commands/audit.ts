import { createInterface } from 'node:readline';
import { AuditEventSchema, listOf } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { EventLines } from '../describe-event.ts';
import { pastMoment } from '../past-moment.ts';
import { verifyTrailOfHome } from '../verify-trail.ts';
import { wholeId } from '../whole-id.ts';

interface Flags {
  readonly home?: string;
  readonly json?: boolean;
  readonly tenant?: string;
  readonly type?: string;
  readonly action?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
  readonly follow?: boolean;
  readonly hashes?: boolean;
  readonly wide?: boolean;
}

const EventList = listOf(AuditEventSchema);

export function addAudit(program: Command, context: CliContext): void {
  const { output } = context;
  const audit = program
    .command('audit')
    .description('the trail: what happened, and proof that nobody edited it')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport audit tail --follow\n  sallyport audit search "git push" --since 2h\n  sallyport audit verify',
    );

  audit
    .command('tail')
    .description('the newest events, a line each: when, who, what, which verdict, why')
    .option('-n, --limit <count>', 'how many', '20')
    .option('-f, --follow', 'go on printing as they come')
    .option('--tenant <name>', 'only this tenant')
    .option('--hashes', 'also the id of each event, and the hashes of what it is about')
    .option('--json', 'print one JSON event a line')
    .addHelpText('after', '\nExample:\n  sallyport audit tail -f')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const list = await operator.call(
        { method: 'GET', path: `/v1/audit/events?${query(flags)}&order=newest` },
        (value) => EventList.parse(value),
      );
      const events = list.items.toReversed();
      const lines = new EventLines(output);
      for (const event of events) print(event, flags, lines);
      if (!flags.follow) return;
      const last = events.at(-1)?.id;
      const stream = await operator.open({
        method: 'GET',
        path: `/v1/events${flags.tenant === undefined ? '' : `?tenant=${encodeURIComponent(flags.tenant)}`}`,
        accept: 'text/event-stream',
        signal: context.signal,
        ...(last === undefined ? {} : { headers: { 'last-event-id': last } }),
      });
      for await (const line of createInterface({ input: stream })) {
        if (line.startsWith('data: ')) print(AuditEventSchema.parse(JSON.parse(line.slice(6))), flags, lines);
      }
    });

  audit
    .command('show <id>')
    .description('one event, whole')
    .option('--json', 'print the event as JSON')
    .addHelpText('after', '\nExample:\n  sallyport audit show evt_01…')
    .action(async (typed: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const id = await wholeId(operator, 'evt', typed);
      const event = await operator.call(
        { method: 'GET', path: `/v1/audit/events/${encodeURIComponent(id)}` },
        (value) => AuditEventSchema.parse(value),
      );
      if (flags.json) return output.json(event);
      output.line(new EventLines(output).line(event, { isWhole: true }));
      output.line(JSON.stringify(event, null, 2));
    });

  audit
    .command('search [text]')
    .description('events that hold these words (of a command, a title, an id), newest first')
    .option('--tenant <name>', 'only this tenant')
    .option('--type <type>', 'only this type: SessionEvent::Opened, …')
    .option('--action <id>', 'only events of one action')
    .option('--since <time>', 'ISO time, or a duration: 30m, 2h, 7d')
    .option('--until <time>', 'ISO time, or a duration')
    .option('-n, --limit <count>', 'how many', '50')
    .option('--hashes', 'also the id of each event, and the hashes of what it is about')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport audit search curl --since 1d --type ActionEvent::Judged')
    .action(async (text: string | undefined, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const list = await context
        .operator(flags)
        .call({ method: 'GET', path: `/v1/audit/events?${query(flags, text)}&order=newest` }, (value) =>
          EventList.parse(value),
        );
      if (flags.json) return output.json(list);
      if (list.items.length === 0) return output.line('nothing found');
      const lines = new EventLines(output);
      // Oldest first, for the titles of questions; newest first, for the reader.
      const told = list.items.toReversed().map((event) => lineOf(event, flags, lines));
      for (const line of told.toReversed()) output.line(line);
    });

  audit
    .command('export')
    .description('every event as one JSON line, oldest first')
    .option('--tenant <name>', 'only this tenant')
    .option('--since <time>', 'ISO time, or a duration: 30m, 2h, 7d')
    .option('--until <time>', 'ISO time, or a duration')
    .addHelpText('after', '\nExample:\n  sallyport audit export --since 7d > week.jsonl')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const stream = await context.operator(flags).open({
        method: 'GET',
        path: `/v1/audit/export?${query({ ...flags })}`,
        accept: 'application/x-ndjson',
      });
      for await (const chunk of stream) context.streams.stdout.write(chunk);
    });

  audit
    .command('verify')
    .description('check every event, file and signature; names the first one that was changed')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport audit verify\n\nWorks while the gateway is stopped, too.')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const ok = await verifyTrailOfHome(context, flags);
      if (!ok) process.exitCode = 1;
    });

  function print(event: AuditEvent, flags: Flags, lines: EventLines): void {
    output.line(flags.json === true ? JSON.stringify(event) : lineOf(event, flags, lines));
  }
}

type AuditEvent = ReturnType<typeof AuditEventSchema.parse>;

function lineOf(event: AuditEvent, { hashes, wide }: Flags, lines: EventLines): string {
  return lines.line(event, { hashes: hashes === true, isWhole: wide === true });
}

function query(flags: Flags, text?: string): string {
  const parameters = new URLSearchParams();
  if (flags.tenant !== undefined) parameters.set('tenant', flags.tenant);
  if (flags.type !== undefined) parameters.set('type', flags.type);
  if (flags.action !== undefined) parameters.set('action_id', flags.action);
  if (flags.limit !== undefined) parameters.set('limit', flags.limit);
  if (flags.since !== undefined) parameters.set('since', pastMoment(flags.since));
  if (flags.until !== undefined) parameters.set('until', pastMoment(flags.until));
  if (text !== undefined) parameters.set('text', text);
  return parameters.toString();
}
