import type { PathFact } from '@sallyport/protocol';
import type { CallFacts } from './tool-definition.ts';

const TYPES = { read: 'code:read', write: 'code:write', delete: 'code:delete' } as const;

/** A call that touches the one path which an argument names. */
export function fileCall<Access extends PathFact['access']>(arg: string, access: Access) {
  return {
    type: TYPES[access],
    effect: access === 'read' ? 'read' : 'write',
    reach: 'local',
    target: { kind: 'path', arg, access },
  } as const satisfies CallFacts;
}
