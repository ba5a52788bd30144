/** A refusal as the Web API words it: status 200, `ok: false` and a short code; only rate limits have a status. */
export class SlackError extends Error {
  readonly messages: readonly string[];
  readonly retryAfter: number | undefined;

  constructor(code: string, messages: readonly string[] = [], retryAfter?: number) {
    super(code);
    this.messages = messages;
    this.retryAfter = retryAfter;
  }
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MESSAGE_BLOCKS = 50;
const MODAL_BLOCKS = 100;
const RICH_TEXT_CHARACTERS = 12_000;

/** Checks what `blocks` of a message must be. Throws `invalid_blocks` with the place and the reason. */
export function checkMessageBlocks(blocks: unknown): readonly Json[] {
  if (!Array.isArray(blocks)) throw new SlackError('invalid_blocks_format');
  return checkBlocks(blocks, MESSAGE_BLOCKS, 'invalid_blocks', ['rich_text', 'section', 'actions']);
}

/** Checks a modal as `views.open` and a `response_action` take it. Throws `invalid_arguments`. */
export function checkModal(view: unknown): Json {
  const fail = (why: string): SlackError => refusal('invalid_arguments', why);
  if (!isObject(view) || view.type !== 'modal') throw fail('view.type must be modal');
  if (!Array.isArray(view.blocks)) throw fail('view.blocks is missing');
  plainText(view.title, 24, 'view.title', fail);
  if (view.close !== undefined) plainText(view.close, 24, 'view.close', fail);
  if (view.submit !== undefined) plainText(view.submit, 24, 'view.submit', fail);
  limit(view.callback_id, 255, 'view.callback_id', fail);
  limit(view.private_metadata, 3_000, 'view.private_metadata', fail);
  const checked = checkBlocks(view.blocks, MODAL_BLOCKS, 'invalid_arguments', ['section', 'input']);
  if (checked.some(({ type }) => type === 'input') && view.submit === undefined)
    throw fail('view.submit is required when an input block is present');
  return view;
}

function checkBlocks(
  blocks: readonly unknown[],
  most: number,
  code: string,
  types: readonly string[],
): readonly Json[] {
  const fail = (why: string): SlackError => refusal(code, why);
  if (blocks.length > most) throw fail(`no more than ${most} items allowed [json-pointer:/blocks]`);
  const ids = new Set<unknown>();
  return blocks.map((block, index) => {
    const at = `/blocks/${index}`;
    if (!isObject(block) || !types.includes(String(block.type)))
      throw fail(`unsupported block [json-pointer:${at}/type]`);
    limit(block.block_id, 255, `${at}/block_id`, fail);
    if (block.block_id !== undefined && ids.has(block.block_id)) throw fail(`block_id is not unique [${at}]`);
    ids.add(block.block_id);
    checkBlock(block, at, fail);
    return block;
  });
}

type Fail = (why: string) => SlackError;

function checkBlock(block: Json, at: string, fail: Fail): void {
  switch (block.type) {
    case 'rich_text':
      checkRichText(block, at, fail);
      break;
    case 'section':
      textObject(block.text, 3_000, `${at}/text`, fail);
      break;
    case 'actions':
      checkActions(block, at, fail);
      break;
    case 'input':
      plainText(block.label, 2_000, `${at}/label`, fail);
      if (block.hint !== undefined) plainText(block.hint, 2_000, `${at}/hint`, fail);
      checkInput(block.element, at, fail);
      break;
    // open: any block
    default:
      throw fail(`unsupported block [${at}]`);
  }
}

function checkRichText(block: Json, at: string, fail: Fail): void {
  if (!Array.isArray(block.elements) || block.elements.length === 0)
    throw fail(`elements are missing [${at}]`);
  let characters = 0;
  for (const part of arrayOf(block.elements)) {
    if (!isObject(part) || !['rich_text_section', 'rich_text_preformatted'].includes(String(part.type)))
      throw fail(`unsupported rich text element [${at}]`);
    for (const element of arrayOf(part.elements)) {
      if (!isObject(element) || element.type !== 'text') throw fail(`unsupported element [${at}]`);
      const text = element.text;
      if (typeof text !== 'string' || text === '') throw fail(`must be more than 0 characters [${at}]`);
      if (part.type === 'rich_text_preformatted' && element.style !== undefined)
        throw fail(`preformatted text has no style [${at}]`);
      characters += text.length;
    }
  }
  if (characters > RICH_TEXT_CHARACTERS) throw new SlackError('msg_blocks_too_long');
}

function checkActions(block: Json, at: string, fail: Fail): void {
  const elements = arrayOf(block.elements);
  if (elements.length === 0 || elements.length > 25) throw fail(`1 to 25 elements [${at}]`);
  const ids = new Set<unknown>();
  for (const element of elements) {
    if (!isObject(element) || element.type !== 'button') throw fail(`unsupported element [${at}]`);
    plainText(element.text, 75, `${at}/text`, fail);
    limit(element.action_id, 255, `${at}/action_id`, fail);
    limit(element.value, 2_000, `${at}/value`, fail);
    if (element.style !== undefined && !['primary', 'danger'].includes(String(element.style)))
      throw fail(`unknown style [${at}]`);
    if (ids.has(element.action_id)) throw fail(`action_id is not unique [${at}]`);
    ids.add(element.action_id);
  }
}

function checkInput(element: unknown, at: string, fail: Fail): void {
  if (!isObject(element) || element.type !== 'plain_text_input') throw fail(`unsupported element [${at}]`);
  limit(element.action_id, 255, `${at}/action_id`, fail);
  const most = element.max_length ?? 3_000;
  if (typeof most !== 'number' || most < 1 || most > 3_000) throw fail(`max_length is 1 to 3000 [${at}]`);
  const least = element.min_length ?? 0;
  if (typeof least !== 'number' || least < 0 || least > Number(most))
    throw fail(`min_length is 0 to 3000 [${at}]`);
}

function textObject(value: unknown, most: number, at: string, fail: Fail): void {
  if (!isObject(value) || !['plain_text', 'mrkdwn'].includes(String(value.type)))
    throw fail(`a text object is expected [${at}]`);
  if (typeof value.text !== 'string' || value.text === '' || value.text.length > most)
    throw fail(`must be 1 to ${most} characters [${at}]`);
  if (value.type === 'mrkdwn' && value.emoji !== undefined) throw fail(`mrkdwn takes no emoji [${at}]`);
}

function plainText(value: unknown, most: number, at: string, fail: Fail): void {
  if (!isObject(value) || value.type !== 'plain_text') throw fail(`plain_text is expected [${at}]`);
  textObject(value, most, at, fail);
}

function limit(value: unknown, most: number, at: string, fail: Fail): void {
  if (value === undefined) return;
  if (typeof value !== 'string' || value === '' || value.length > most)
    throw fail(`must be 1 to ${most} characters [${at}]`);
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function refusal(code: string, why: string): SlackError {
  return new SlackError(code, [`[ERROR] ${why}`]);
}
