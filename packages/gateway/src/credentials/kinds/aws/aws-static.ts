import { SallyportError } from '@sallyport/protocol';
import type { CredentialKind } from '../kind.ts';
import { AWS_HOSTS, AWS_PLACES } from './aws-hosts.ts';
import { parseAwsKeys } from './aws-keys.ts';
import { prepareKeys } from './prepare-keys.ts';

/** Keys of AWS that last: requests are signed with them as they are. */
export const awsStaticKind: CredentialKind<'aws_static'> = {
  name: 'aws_static',
  hosts: AWS_HOSTS,
  places: AWS_PLACES,
  async prepare(material, options, context) {
    if (material === undefined) throw new SallyportError('SecretUnreadable');
    const keys = parseAwsKeys(material);
    return prepareKeys({ keys, region: options.region }, context);
  },
};
