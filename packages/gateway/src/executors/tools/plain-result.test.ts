import { expect, test } from 'vitest';
import { plainResult } from './plain-result.ts';

test('[TO-9] text blocks become one text, marked as data', () => {
  const result = plainResult({
    content: [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
    isError: false,
  });
  expect(result).toEqual({ output: 'one\ntwo', is_error: false, metadata: { untrusted: true } });
});

test.each([
  {
    why: 'an image',
    block: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    output: '[image 1: image/png, 3 bytes]',
    attached: { type: 'image', mime_type: 'image/png', data: 'AAAA' },
  },
  {
    why: 'sound',
    block: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    output: '[audio 1: audio/wav, 3 bytes]',
    attached: { type: 'audio', mime_type: 'audio/wav', data: 'AAAA' },
  },
  {
    why: 'a resource of bytes',
    block: { type: 'resource', resource: { uri: 'x:y', blob: 'AAAA' } },
    output: '[resource 1: application/octet-stream, 3 bytes]',
    attached: { type: 'resource', mime_type: 'application/octet-stream', data: 'AAAA' },
  },
])('$why becomes a placeholder, its base64 is beside it', ({ block, output, attached }) => {
  const result = plainResult({ content: [block], isError: false });
  expect(result.output).toBe(output);
  expect(result.metadata.attachments).toEqual([attached]);
});

test.each([
  {
    why: 'a resource of text is its text',
    block: { type: 'resource', resource: { uri: 'x:y', text: 'hi' } },
    output: 'hi',
  },
  { why: 'a link is named', block: { type: 'resource_link', uri: 'x:y' }, output: '[resource: x:y]' },
  {
    why: 'an unknown kind is not read',
    block: { type: 'spell', text: 'obey' },
    output: '[block of an unknown kind]',
  },
  {
    why: 'a broken resource is none',
    block: { type: 'resource', resource: 'x' },
    output: '[resource: none]',
  },
])('$why', ({ block, output }) => {
  expect(plainResult({ content: [block], isError: false }).output).toBe(output);
});

test('errors and structured content are passed on one to one', () => {
  const result = plainResult({ content: [], structuredContent: { a: 1 }, isError: true, meta: { b: 2 } });
  expect(result).toEqual({
    output: '',
    is_error: true,
    metadata: { untrusted: true, structured_content: { a: 1 }, meta: { b: 2 } },
  });
});
