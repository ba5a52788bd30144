import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { PROTOCOL_VERSIONS } from './connect.ts';

test('the versions that are spoken are those of the SDK, whose transport carries them', () => {
  expect(PROTOCOL_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});
