import { type CertificateAuthority, CertificateAuthoritySchema, type EventActor } from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import type { Authority } from '../../authority/index.ts';
import { type App, operatorOf } from '../../servers/index.ts';

/** The local certificate authority, without its key. */
interface CaControl {
  facts(): CertificateAuthority;
  /** A new authority; certificates of the old one are not used again. Recorded in the trail. */
  rotate(by: EventActor): Promise<CertificateAuthority>;
}

/** The authority as the operator's routes see it: a rotation is in the trail before it happens. */
export function caControl(
  authority: Pick<Authority, 'facts' | 'rotate'>,
  { trail, systemTenant }: { readonly trail: Pick<AuditTrail, 'append'>; readonly systemTenant: string },
): CaControl {
  return {
    facts: () => authority.facts(),
    rotate: (by: EventActor) =>
      authority.rotate(async (made) => {
        await trail.append({
          tenant: systemTenant,
          type: 'IdentityEvent::AuthorityRotated',
          actor: by,
          data: {
            fingerprint_sha256: made.fingerprint_sha256,
            not_after: made.not_after,
            replaced: authority.facts().fingerprint_sha256,
          },
        });
      }),
  };
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
