import { SallyportError } from '@sallyport/protocol';
import { parse } from 'yaml';
import { appendToList, type ListItem, removeEntry } from '../config/index.ts';
import { lookUp } from './add-credential.ts';
import { type ConfigPlace, readConfigText, writeConfigText } from './config-file-edit.ts';

/** A server as somebody types it: where it is, or what starts it. */
export type NewServer = { readonly name: string } & (
  | { readonly url: string }
  | {
      readonly command: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly egress: readonly string[];
    }
);

/** Writes an MCP server behind the others. Refuses with `Conflict` or `ConfigInvalid`: then nothing has changed. */
export function addServer(server: NewServer, place: ConfigPlace): void {
  const before = readConfigText(place);
  if (indexOf(parse(before), server.name) !== -1)
    throw new SallyportError('Conflict', {
      message: `there is an MCP server \`${server.name}\` already`,
      hint: 'remove it first with `sallyport servers remove`, change it in the config, or take another name',
    });
  writeConfigText(place, before, appendToList(before, ['mcp_servers'], entryOf(server)));
}

/** Takes an MCP server out of the config file; everything else in it stays as it is. */
export function removeServer(name: string, place: ConfigPlace): void {
  const before = readConfigText(place);
  const at = indexOf(parse(before), name);
  if (at === -1)
    throw new SallyportError('NotFound', {
      message: `there is no MCP server \`${name}\` in this file`,
      hint: '`sallyport servers list` shows what there is; one of an included file is changed there',
    });
  writeConfigText(place, before, removeEntry(before, ['mcp_servers', at]));
}

function entryOf(server: NewServer): ListItem {
  if ('url' in server) return { name: server.name, url: server.url };
  const [executable = '', ...args] = server.command;
  const { env, egress } = server;
  return {
    ...{ name: server.name, executable },
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(egress.length === 0 ? {} : { egress }),
  };
}

function indexOf(config: unknown, name: string): number {
  const servers = lookUp(config, ['mcp_servers']);
  return Array.isArray(servers) ? servers.findIndex((server) => lookUp(server, ['name']) === name) : -1;
}
