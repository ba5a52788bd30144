import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { AllowedMethods } from './allowed-methods.ts';

describe('AllowedMethods', () => {
  const app = Fastify({ exposeHeadRoutes: false });
  const methods = new AllowedMethods();
  methods.watch(app);
  app.route({ method: 'GET', url: '/a', handler: async () => null });
  app.route({ method: ['POST', 'PUT'], url: '/a', handler: async () => null });
  app.route({ method: 'DELETE', url: '/a/:id', handler: async () => null });

  test.each([
    { path: '/a', expected: ['GET', 'POST', 'PUT'], why: 'all methods of an address' },
    { path: '/a/x', expected: ['DELETE'], why: 'a parameter' },
    { path: '/a/', expected: [], why: 'an empty parameter' },
    { path: '/a/x/y', expected: [], why: 'a longer path' },
    { path: '/', expected: [], why: 'a shorter path' },
    { path: '/b', expected: [], why: 'another path' },
  ])('$why: $path takes $expected', ({ path, expected }) => {
    expect(methods.of(path)).toEqual(expected);
  });
});
