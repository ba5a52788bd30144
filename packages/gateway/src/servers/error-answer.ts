import { SallyportError } from '@sallyport/protocol';
import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';

/**
 * The error that a peer sees, for whatever was thrown.
 *
 * Anything that is not known to be the caller's mistake becomes `Internal` without details: what broke
 * inside is for the operator's log, not for whoever provoked it.
 */
export function toPublicError(error: unknown): SallyportError {
  if (error instanceof SallyportError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const part = error.validationContext ?? 'request';
    return new SallyportError('BadRequest', {
      message: `the ${part === 'querystring' ? 'query' : part} is not valid`,
      details: {
        fields: error.validation.map((issue) => ({
          path: fieldPath(issue.instancePath),
          message: issue.message ?? 'not valid',
        })),
      },
      cause: error,
    });
  }
  return fromFramework(error);
}

function fromFramework(error: unknown): SallyportError {
  switch (frameworkCode(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new SallyportError('PayloadTooLarge', { cause: error });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return new SallyportError('UnsupportedMediaType', {
        hint: 'send JSON with `Content-Type: application/json`',
        cause: error,
      });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new SallyportError('BadRequest', {
        message: 'the body does not have the announced length',
        cause: error,
      });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new SallyportError('NotFound', { cause: error });
    case 'ECONNRESET':
      // The caller went away in the middle of its body: nobody reads the answer, and nothing broke here.
      return new SallyportError('BadRequest', { message: 'the request broke off', cause: error });
    case 'FST_ERR_BAD_URL':
      return new SallyportError('BadRequest', { message: 'the path is not valid', cause: error });
    // open: any code of the framework
    default:
      return new SallyportError('Internal', { cause: error });
  }
}

function frameworkCode(error: unknown): string | undefined {
  // `as`: Fastify's errors are plain Errors with a code; anything else yields undefined here.
  return error instanceof Error ? (error as Partial<FastifyError>).code : undefined;
}

function fieldPath(pointer: string): string {
  return pointer.split('/').filter(Boolean).join('.');
}
