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
  expect(result).toEqual({ content: 'one\ntwo', is_error: false, metadata: { untrusted: true } });
});

test.each([
  {
    why: 'an image',
    block: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    content: '[image 1: image/png, 3 bytes]',
    attached: { type: 'image', mime_type: 'image/png', data: 'AAAA' },
  },
  {
    why: 'sound',
    block: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    content: '[audio 1: audio/wav, 3 bytes]',
    attached: { type: 'audio', mime_type: 'audio/wav', data: 'AAAA' },
  },
  {
    why: 'a resource of bytes',
    block: { type: 'resource', resource: { uri: 'x:y', blob: 'AAAA' } },
    content: '[resource 1: application/octet-stream, 3 bytes]',
    attached: { type: 'resource', mime_type: 'application/octet-stream', data: 'AAAA' },
  },
])('$why becomes a placeholder, its base64 is beside it', ({ block, content, attached }) => {
  const result = plainResult({ content: [block], isError: false });
  expect(result.content).toBe(content);
  expect(result.metadata.attachments).toEqual([attached]);
});

test.each([
  {
    why: 'a resource of text is its text',
    block: { type: 'resource', resource: { uri: 'x:y', text: 'hi' } },
    content: 'hi',
  },
  { why: 'a link is named', block: { type: 'resource_link', uri: 'x:y' }, content: '[resource: x:y]' },
  {
    why: 'an unknown kind is not read',
    block: { type: 'spell', text: 'obey' },
    content: '[block of an unknown kind]',
  },
  {
    why: 'a broken resource is none',
    block: { type: 'resource', resource: 'x' },
    content: '[resource: none]',
  },
])('$why', ({ block, content }) => {
  expect(plainResult({ content: [block], isError: false }).content).toBe(content);
});

test('errors and structured content are passed on one to one', () => {
  const result = plainResult({ content: [], structuredContent: { a: 1 }, isError: true, _meta: { b: 2 } });
  expect(result).toEqual({
    content: '',
    is_error: true,
    metadata: { untrusted: true, structured_content: { a: 1 }, meta: { b: 2 } },
  });
});
