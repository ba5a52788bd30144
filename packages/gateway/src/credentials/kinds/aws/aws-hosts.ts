import type { KindPlaces } from '../kind.ts';

/** Where AWS serves; keys of AWS go nowhere else unless the config names a host. */
export const AWS_HOSTS = ['*.amazonaws.com', '*.amazonaws.com.cn', '*.api.aws'] as const;

/** What an SDK that signs with a placeholder writes it into: the request is signed anew, nothing of that is sent. */
export const AWS_PLACES: KindPlaces = {
  headers: ['authorization', 'x-amz-security-token'],
  query: ['X-Amz-Credential', 'X-Amz-Signature', 'X-Amz-Security-Token'],
  namesOnly: true,
};
