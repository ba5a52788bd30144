import { expect, test } from 'vitest';
import { withoutHopByHop } from './hop-by-hop.ts';

test('[NE-6] what concerns one connection stops here, and what Connection names with it', () => {
  const kept = withoutHopByHop([
    ['Connection', 'close, X-Secret'],
    ['connection', 'x-other'],
    ['Keep-Alive', 'timeout=5'],
    ['Proxy-Authorization', 'Bearer token'],
    ['Proxy-Connection', 'keep-alive'],
    ['Proxy-Anything', '1'],
    ['TE', 'trailers'],
    ['Trailer', 'X-Sum'],
    ['Transfer-Encoding', 'chunked'],
    ['Upgrade', 'websocket'],
    ['HTTP2-Settings', 'x'],
    ['X-Secret', '1'],
    ['x-OTHER', '2'],
    ['X-Kept', '3'],
  ]);
  expect(kept).toEqual([['X-Kept', '3']]);
});

test('[NE-6] Connection cannot take away what the message needs to mean the same', () => {
  const kept = withoutHopByHop([
    ['Connection', 'host, content-length, content-type'],
    ['Host', 'a.example'],
    ['Content-Length', '3'],
    ['Content-Type', 'text/plain'],
  ]);
  expect(kept.map(([name]) => name)).toEqual(['Host', 'Content-Length', 'Content-Type']);
});
