import { SallyportError } from '@sallyport/protocol';
import type { OperatorToken } from '../../identity/index.ts';
import type { App } from './base-app.ts';
import { presentedToken } from './bearer.ts';

/**
 * Admits a request to the operator side with the operator token and nothing else, over the port and over the
 * unix socket alike. Public routes need none, but refuse a wrong one too. Unknown addresses need it as well.
 */
export function requireOperator(app: App, token: Pick<OperatorToken, 'matches'>): void {
  app.addHook('onRequest', async (request) => {
    const presented = presentedToken(request);
    const isPublic = !request.is404 && request.routeOptions.config.public === true;
    if (presented.kind === 'none' && isPublic) return;
    // SECURITY: the only door to everything that decides; no agent credential opens it [ID-2].
    if (presented.kind !== 'token' || !token.matches(presented.token)) {
      throw new SallyportError('NotAuthenticated', {
        hint: 'send the token in `operator.token` of the home as Bearer',
      });
    }
  });
}
