/** A refusal as the REST API words it: a status, a number and a sentence. */
export class DiscordError extends Error {
  readonly status: number;
  readonly code: number;
  /** seconds */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export function invalidForm(why: string): DiscordError {
  return new DiscordError(400, 50_035, `Invalid Form Body: ${why}`);
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const FILE_BYTES = 10 * 1_024 * 1_024;

export interface UploadedFile {
  readonly name: string;
  readonly content: string;
  readonly bytes: number;
}

/** Checks the body of a new or an edited message as the API does. */
export function checkMessage(body: Json, files: readonly UploadedFile[], isNew: boolean): void {
  const { content, components } = body;
  if (content !== undefined) length(content, 0, 2_000, 'content');
  checkEmbeds(arrayOf(body.embeds));
  const isEmpty = (content ?? '') === '' && arrayOf(body.embeds).length === 0 && files.length === 0;
  if (isNew && isEmpty) throw new DiscordError(400, 50_006, 'Cannot send an empty message');
  if (files.some(({ bytes }) => bytes > FILE_BYTES))
    throw new DiscordError(413, 40_005, 'Request entity too large');
  const mentions = body.allowed_mentions;
  if (isObject(mentions) && arrayOf(mentions.parse).includes('users') && mentions.users !== undefined)
    throw invalidForm('allowed_mentions: parse:["users"] and users: [ids...] are mutually exclusive');
  if (components !== undefined) checkRows(components);
  for (const attachment of arrayOf(body.attachments)) {
    const at = isObject(attachment) ? Number(attachment.id) : Number.NaN;
    if (files[at] === undefined) throw invalidForm('attachments: an id names no file');
  }
}

/** Checks a modal as an answer to an interaction. */
export function checkModal(modal: unknown): Json {
  if (!isObject(modal)) throw invalidForm('data is missing');
  length(modal.title, 1, 45, 'title');
  length(modal.custom_id, 1, 100, 'custom_id');
  const components = arrayOf(modal.components);
  if (components.length < 1 || components.length > 5) throw invalidForm('components: 1 to 5');
  for (const component of components) {
    if (!isObject(component) || component.type !== 18) throw invalidForm('components: a label is expected');
    length(component.label, 1, 45, 'label');
    const input = component.component;
    if (!isObject(input) || input.type !== 4) throw invalidForm('component: a text input is expected');
    length(input.custom_id, 1, 100, 'custom_id');
    if (input.style !== 1 && input.style !== 2) throw invalidForm('style: 1 or 2');
    within(input.min_length ?? 0, 0, 4_000, 'min_length');
    within(input.max_length ?? 4_000, 1, 4_000, 'max_length');
  }
  return modal;
}

function checkRows(components: unknown): void {
  const rows = arrayOf(components);
  if (!Array.isArray(components) || rows.length > 5) throw invalidForm('components: 5 or fewer in length');
  const ids = new Set<unknown>();
  for (const row of rows) {
    if (!isObject(row) || row.type !== 1) throw invalidForm('components: an action row is expected');
    const buttons = arrayOf(row.components);
    if (buttons.length < 1 || buttons.length > 5) throw invalidForm('components: between 1 and 5 in length');
    for (const button of buttons) {
      if (!isObject(button) || button.type !== 2) throw invalidForm('components: a button is expected');
      length(button.label, 1, 80, 'label');
      length(button.custom_id, 1, 100, 'custom_id');
      within(button.style, 1, 4, 'style');
      if (ids.has(button.custom_id)) throw invalidForm('Component custom id cannot be duplicated');
      ids.add(button.custom_id);
    }
  }
}

function checkEmbeds(embeds: readonly unknown[]): void {
  if (embeds.length > 10) throw invalidForm('embeds: 10 or fewer in length');
  let sum = 0;
  for (const embed of embeds) {
    if (!isObject(embed)) throw invalidForm('embeds: an object is expected');
    if (embed.title !== undefined) length(embed.title, 0, 256, 'title');
    if (embed.description !== undefined) length(embed.description, 0, 4_096, 'description');
    sum += String(embed.title ?? '').length + String(embed.description ?? '').length;
  }
  if (sum > 6_000) throw invalidForm('embeds: Embed size exceeds maximum size of 6000');
}

function length(value: unknown, least: number, most: number, what: string): void {
  if (typeof value !== 'string') throw invalidForm(`${what}: This field is required`);
  if (value.length < least || value.length > most)
    throw invalidForm(`${what}: Must be between ${least} and ${most} in length.`);
}

function within(value: unknown, least: number, most: number, what: string): void {
  if (typeof value !== 'number' || value < least || value > most)
    throw invalidForm(`${what}: Value must be between ${least} and ${most}.`);
}
