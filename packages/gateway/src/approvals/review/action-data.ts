import type { Action, Json } from '@sallyport/protocol';
import type { Redactor } from '../../audit/index.ts';
import { visibleText } from '../../shared/visible-text.ts';

/** Longest text about an action that goes to a model, in characters */
const AT_MOST = 65_536;

/**
 * An action as data for a model, as JSON text; undefined when it is too long, or when only the beginning of a body is
 * at hand: a model that sees half of an action judges another one.
 *
 * SECURITY: secrets are taken out first. What cannot be seen is spelled out, so that no instruction hides in it.
 */
export function actionData(
  action: Action,
  redactor: Pick<Redactor, 'redactJson'>,
  more: { readonly reason?: string; readonly criteria?: string },
): string | undefined {
  if (!isWhole(action)) return undefined;
  const { door, tool, type, effect, reach, risk, target, input, actor } = action;
  const data = {
    action: {
      tool,
      door,
      type,
      effect,
      reach,
      static_risk: risk,
      agent: actor.agent ?? null,
      user: actor.user ?? null,
      confinement: actor.confinement,
      target,
      input,
      // A reason may quote the action, so it is data too; criteria are the operator's own words.
      ...(more.reason === undefined ? {} : { asked_because: more.reason }),
    },
    ...(more.criteria === undefined ? {} : { criteria: more.criteria }),
  };
  const text = JSON.stringify(visible(redactor.redactJson(data)));
  return text.length > AT_MOST ? undefined : text;
}

/** A request says of its body whether all of it is shown. */
function isWhole({ input: { body } }: Action): boolean {
  return typeof body !== 'object' || body === null || !('complete' in body) || body.complete === true;
}

function visible(value: Json): Json {
  if (typeof value === 'string') return visibleText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(visible);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [visibleText(key), visible(item)]));
}
