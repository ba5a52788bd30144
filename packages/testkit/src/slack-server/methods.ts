import { checkMessageBlocks, checkModal, isObject, type Json, SlackError } from './block-kit.ts';
import type { Workspace } from './workspace.ts';

/** Parameters of one call; objects come as JSON text in a form. */
export type Parameters = Readonly<Record<string, string>>;

const TEXT_CHARACTERS = 40_000;

export function openConversation(workspace: Workspace, { users }: Parameters): Json {
  if (users === undefined || users === '') throw new SlackError('users_list_not_supplied');
  return { channel: { id: workspace.openConversation(users) } };
}

export function postMessage(workspace: Workspace, parameters: Parameters): Json {
  const { text, blocks } = content(parameters);
  const { channel, ts } = workspace.post(required(parameters, 'channel'), { text }, blocks);
  return { channel, ts, message: { text, ts } };
}

export function updateMessage(workspace: Workspace, parameters: Parameters): Json {
  const { text, blocks } = content(parameters);
  const channel = required(parameters, 'channel');
  const ts = required(parameters, 'ts');
  workspace.edit(channel, ts, text, blocks);
  return { channel, ts, text };
}

/** Trigger ids are good once, for three seconds; `spend` says what is wrong with one. */
export function openView(
  parameters: Parameters,
  spend: (trigger: string) => ((view: Json) => void) | 'expired_trigger_id' | 'invalid_trigger_id',
): Json {
  const view = checkModal(json(required(parameters, 'view')));
  const show = spend(required(parameters, 'trigger_id'));
  if (typeof show === 'string') throw new SlackError(show);
  show(view);
  return { view: { id: 'V1', ...view } };
}

/** Files between the three steps of an upload. */
export class Uploads {
  readonly #files = new Map<string, { readonly name: string; readonly length: number; content?: string }>();

  begin(parameters: Parameters, baseUrl: string): Json {
    const name = required(parameters, 'filename');
    const length = Number(required(parameters, 'length'));
    if (!Number.isInteger(length) || length < 1) throw new SlackError('invalid_arguments');
    const id = `F${this.#files.size + 1}`;
    this.#files.set(id, { name, length });
    return { upload_url: `${baseUrl}/upload/${id}`, file_id: id };
  }

  /** False for bytes that nobody announced. */
  receive(id: string, content: Buffer): boolean {
    const file = this.#files.get(id);
    if (file === undefined || file.length !== content.length) return false;
    file.content = content.toString('utf8');
    return true;
  }

  complete(workspace: Workspace, parameters: Parameters): Json {
    const files = json(required(parameters, 'files'));
    if (!Array.isArray(files) || files.length === 0) throw new SlackError('invalid_arguments');
    for (const entry of files) {
      const file = isObject(entry) ? this.#files.get(String(entry.id)) : undefined;
      if (file?.content === undefined) throw new SlackError('file_not_found');
      const { name, content } = file;
      workspace.post(required(parameters, 'channel_id'), { text: '', file: { name, content } }, []);
    }
    return { files };
  }
}

function content(parameters: Parameters): { text: string; blocks: readonly Json[] } {
  const { text = '', blocks } = parameters;
  const checked = blocks === undefined ? [] : checkMessageBlocks(json(blocks));
  if (text === '' && checked.length === 0) throw new SlackError('no_text');
  if (text.length > TEXT_CHARACTERS) throw new SlackError('msg_too_long');
  return { text, blocks: checked };
}

function required(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (value === undefined || value === '')
    throw new SlackError('invalid_arguments', [`[ERROR] missing required field: ${name}`]);
  return value;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SlackError('invalid_arguments');
  }
}
