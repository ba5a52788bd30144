import type { Action } from '@sallyport/protocol';
import { sha256Hex } from '../../shared/canonical-json.ts';
import { requestKey } from '../../shared/same-request.ts';
import { requestOf as judgedRequest, lineOf } from '../../targets/index.ts';
import { curlRequest, type SpelledRequest } from '../cli/index.ts';
import { urlOf } from './http-action.ts';
import { TargetRefusal } from './tool-target.ts';
import { requestOf } from './url-request.ts';

const NOTHING = sha256Hex('');

/**
 * The requests that a call will make itself, by their keys (`requestKey`), as far as it spells them out: an address that
 * is fetched, a curl command without files, variables or forms. Where such a request comes by another door, it is what
 * was asked about here already.
 */
export function requestsMadeBy({ target, input }: Action): readonly string[] {
  if (target.problem !== undefined) return [];
  const line = lineOf(target);
  if (line !== undefined) {
    if (line.unknown !== undefined) return [];
    return line.commands.flatMap(({ program, argv, unknown, via }) => {
      if (program !== 'curl' || unknown !== undefined || via !== undefined) return [];
      return keyOf(curlRequest(argv));
    });
  }
  const { url } = input;
  if (judgedRequest(target) === undefined || typeof url !== 'string') return [];
  return keyOf({ method: 'GET', url, body: '', headers: [] });
}

function keyOf(request: SpelledRequest | undefined): readonly string[] {
  if (request === undefined) return [];
  try {
    const { method, body, headers } = request;
    const url = urlOf(requestOf(request.url));
    return [requestKey({ method, url, sha256: body === '' ? NOTHING : sha256Hex(body), headers })];
  } catch (error) {
    if (error instanceof TargetRefusal) return [];
    throw error;
  }
}
