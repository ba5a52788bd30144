import { type EventActor, type JsonObject, SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../audit/index.ts';
import type { Coordination } from '../coordination/index.ts';
import type { Clock } from '../shared/clock.ts';
import { projectFolder } from '../shared/project-folder.ts';
import type { EnrollmentSecretsRepository } from '../store/index.ts';
import { checkEnrollment } from './enrollment-check.ts';
import { type Attempt, EnrollmentGate, type EnrollmentLimits } from './enrollment-gate.ts';
import type { OpenedSession, SessionOpener } from './session-opener.ts';
import type { TenantOf } from './tenant-directory.ts';

/** What an agent presents to get a session. */
export interface EnrollRequest {
  readonly tenantId: string;
  readonly enrollmentSecret: string;
  /** the tenant's default agent when absent */
  readonly agent?: string | undefined;
  /** absolute: where the agent works, by its own word */
  readonly workspace?: string | undefined;
  /** address of the peer, for the limits and the trail */
  readonly remoteAddress: string;
}

export interface EnrollmentParts {
  readonly secrets: EnrollmentSecretsRepository;
  readonly opener: SessionOpener;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly coordination: Pick<Coordination, 'counters'>;
  readonly tenantOf: TenantOf;
  readonly limits: EnrollmentLimits;
  /** chain of the trail for what names a tenant that does not exist */
  readonly systemTenant: string;
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** Turns an enrollment secret into a session. Every wrong claim gets the same answer, at the same cost. */
export class Enrollment {
  readonly #parts: EnrollmentParts;
  readonly #gate: EnrollmentGate;

  constructor(parts: EnrollmentParts) {
    this.#parts = parts;
    this.#gate = new EnrollmentGate(parts.limits, parts.clock, parts.coordination);
  }

  async enroll(request: EnrollRequest): Promise<OpenedSession> {
    const { secrets, opener, tenantOf } = this.#parts;
    const attempt = this.#gate.attempt(request.remoteAddress, request.tenantId);
    if (await this.#gate.isExhausted(attempt)) throw await this.#limited(request, attempt);

    const live = await secrets.liveHashes();
    const policy = tenantOf(request.tenantId);
    const agent = request.agent ?? policy?.default_agent;
    const claim = { tenant: request.tenantId, agent, secret: request.enrollmentSecret };
    const proof = checkEnrollment(claim, live);
    // SECURITY: asked again, because attempts that ran at the same time have failed meanwhile: a burst
    // learns no more than the limit lets it, not even that its secret was right.
    const exhausted = this.#gate.isExhausted(attempt);
    if (exhausted instanceof Promise ? await exhausted : exhausted)
      throw await this.#limited(request, attempt);

    const known = agent === undefined || policy?.agents.has(agent) === true;
    if (proof === undefined || policy === undefined || !known) {
      if (await this.#gate.fail(attempt)) throw await this.#limited(request, attempt);
      throw await this.#refuse(request, new SallyportError('NotAuthenticated', WRONG));
    }
    // From here on the peer has proved itself, so it may be told what is missing.
    const user = policy.default_user;
    if (agent === undefined || user === undefined) {
      throw await this.#refuse(request, incomplete(agent === undefined ? 'agent' : 'user'));
    }
    const by: EventActor = { kind: 'agent', tenant: request.tenantId, user, agent };
    const credentials = policy.credentials?.get(agent);
    // Whoever enrolls by itself is in no jail that we made.
    const confinement = 'unconfined';
    // Whoever is on another machine names a folder of that one.
    const folder = LOOPBACK.test(request.remoteAddress) ? request.workspace : undefined;
    // A client may be started anywhere in the project that it works on.
    const workspace = folder === undefined ? undefined : projectFolder(folder);
    return opener.open({ tenant: request.tenantId, user, agent, confinement, credentials, workspace, by });
  }

  async #limited(request: EnrollRequest, attempt: Attempt): Promise<SallyportError> {
    const error = this.#gate.refusal();
    return (await this.#gate.announce(attempt)) ? this.#refuse(request, error) : error;
  }

  async #refuse(request: EnrollRequest, error: SallyportError): Promise<SallyportError> {
    const { audit, tenantOf, systemTenant } = this.#parts;
    const known = tenantOf(request.tenantId) !== undefined;
    const data: JsonObject = {
      attempt: 'enroll',
      code: error.code,
      remote_address: request.remoteAddress,
      // SECURITY: cut, because it is whatever a stranger sent.
      claimed_tenant: request.tenantId.slice(0, 64),
      claimed_agent: request.agent?.slice(0, 64) ?? null,
    };
    await audit.append({
      tenant: known ? request.tenantId : systemTenant,
      type: 'SessionEvent::Refused',
      actor: { kind: 'agent' },
      data,
    });
    return error;
  }
}

const WRONG = {
  message: 'tenant, agent and enrollment secret do not belong together',
  hint: 'ask the operator for the enrollment secret of this agent',
};

function incomplete(what: 'agent' | 'user'): SallyportError {
  return new SallyportError('Unprocessable', {
    message: `this tenant has no default ${what}`,
    hint:
      what === 'agent'
        ? 'name an agent in the request, or have the operator set `default_agent`'
        : 'have the operator set `default_user`',
  });
}
