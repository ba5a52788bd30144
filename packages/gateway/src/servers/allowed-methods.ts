import type { FastifyInstance } from 'fastify';

/** Remembers every route, to tell "no such address" from "not with that method". */
export class AllowedMethods {
  readonly #routes: { readonly segments: readonly string[]; readonly method: string }[] = [];

  /** Must be called before the first route is added. */
  watch(app: Pick<FastifyInstance, 'addHook'>): void {
    app.addHook('onRoute', (route) => {
      const methods = typeof route.method === 'string' ? [route.method] : route.method;
      for (const method of methods) this.#routes.push({ segments: route.url.split('/'), method });
    });
  }

  /** The methods that `path` takes; empty when there is no such address. */
  of(path: string): readonly string[] {
    const segments = path.split('/');
    const methods = this.#routes
      .filter((route) => matches(route.segments, segments))
      .map((route) => route.method);
    return [...new Set(methods)].toSorted();
  }
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, i) => (part.startsWith(':') ? path[i] !== '' : part === path[i]))
  );
}
