import {
  type CreatedWorkload,
  CreatedWorkloadSchema,
  type EventActor,
  NewWorkloadSchema,
} from '@sallyport/protocol';
import { type App, operatorOf, showOnce } from '../../servers/index.ts';
import type { Secret } from '../../shared/secret.ts';

/** A place for one worker, as the operator side shows it once. */
export interface NewWorkload extends Omit<CreatedWorkload, 'attestation_secret'> {
  readonly secret: Secret;
}

/** Workers, as whoever is about to start one announces them. */
export interface WorkloadControl {
  createWorkload(session: string, execution: string | undefined, by: EventActor): Promise<NewWorkload>;
}

/** `POST /v1/seal/workloads`: for launchers; what it answers goes to the worker and to nobody else. */
export function sealWorkloadRoutes(
  app: App,
  { workloads }: { readonly workloads: () => WorkloadControl | Promise<WorkloadControl> },
): void {
  app.post(
    '/v1/seal/workloads',
    {
      schema: {
        summary: 'Announce a worker of a session; its one-time secret is shown once',
        body: NewWorkloadSchema,
        response: { 201: CreatedWorkloadSchema },
      },
    },
    async (request, reply) => {
      const { session_id: session, execution_id: execution } = request.body;
      const control = await workloads();
      const { secret, ...rest } = await control.createWorkload(session, execution, operatorOf(request));
      return reply.code(201).send({ ...rest, attestation_secret: showOnce(secret) });
    },
  );
}
