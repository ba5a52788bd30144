import type { EventActor } from '@sallyport/protocol';
import { type CertificateAuthority, CertificateAuthoritySchema } from '@sallyport/protocol';
import type { App } from '../../servers/index.ts';
import { operatorOf } from '../../servers/index.ts';

/** The local certificate authority, without its key. */
export interface CaControl {
  facts(): CertificateAuthority;
  /** A new authority; certificates of the old one are not used again. Recorded in the trail. */
  rotate(by: EventActor): Promise<CertificateAuthority>;
}

/** What agents must trust, and a new one on demand. */
export function caRoutes(app: App, ca: CaControl): void {
  app.get(
    '/v1/ca',
    {
      schema: {
        summary: 'The certificate authority that agents must trust',
        response: { 200: CertificateAuthoritySchema },
      },
    },
    async () => ca.facts(),
  );

  app.post(
    '/v1/ca/rotate',
    {
      schema: {
        summary: 'Make a new certificate authority; what the old one vouched for ends at once',
        response: { 200: CertificateAuthoritySchema },
      },
    },
    async (request) => ca.rotate(operatorOf(request)),
  );
}
