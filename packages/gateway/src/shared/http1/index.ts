export { type Authority, readAuthority } from './authority.ts';
export { BadMessage, type BadMessageReason } from './bad-message.ts';
export { type ByteOutput, ChunkedWriter } from './chunked-writer.ts';
export { lowerFieldName } from './field-names.ts';
export type { BodyFraming } from './framing.ts';
export { isHopByHop, nominatedFields, withoutHopByHop } from './hop-by-hop.ts';
export { type RequestHandler, type RequestHead, RequestParser } from './request-parser.ts';
export { type ParsedResponseHead, type ResponseHandler, ResponseParser } from './response-parser.ts';
export { isForbiddenTrailer } from './trailers.ts';
export {
  type WrittenFraming,
  writeInformationalHead,
  writeRequestHead,
  writeResponseHead,
  writeSwitchHead,
} from './write-head.ts';
