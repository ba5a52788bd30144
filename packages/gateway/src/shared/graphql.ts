import { createRequire } from 'node:module';

type Graphql = typeof import('graphql');
const require = createRequire(import.meta.url);
let loaded: Graphql | undefined;

/** The GraphQL library. It takes a tenth of a second to load and most starts never need it: loaded when first asked for. */
export function graphql(): Graphql {
  // `require` gives what the package's own types say; unlike `import()` it does so at once.
  loaded ??= require('graphql') as Graphql;
  return loaded;
}
