import { ACCESS, type ErrorCode, type PlainTarget } from '@sallyport/protocol';
import { findTool, type PatternKind, shapeOf } from '../tools/index.ts';
import { NO_HOSTS, never, none, type TargetDefinition } from './target-definition.ts';

/** Nothing outside the call itself. */
export const plainTarget: TargetDefinition<PlainTarget> = {
  ruledBy: 'call',
  namesNothing: true,
  paths: never,
  namesEveryPath: true,
  namedPaths: never,
  folder: () => '',
  hosts: () => NO_HOSTS,
  domains: never,
  addresses: never,
  account: none,
  repositories: never,
  // It is plain because what the tool should have named could not be read.
  missing: (tool) =>
    (tool === ACCESS.tool ? 'Unprocessable' : undefined) ??
    MISSING[shapeOf(tool)?.pattern ?? 'none'] ??
    'PathOutsideBoundary',
  pattern: none,
  operations: (_target, { tool }) => [
    { operation: tool, object: '', ...(findTool(tool) === undefined ? { unlisted: true } : {}) },
  ],
  summary: () => '',
};

/** It is a refusal in any case: which one, others than these need not say. */
const MISSING: Readonly<Partial<Record<PatternKind, ErrorCode>>> = {
  command: 'CommandNotAllowed',
  arguments: 'CommandNotAllowed',
  request: 'DomainNotAllowed',
  address: 'DomainNotAllowed',
};
