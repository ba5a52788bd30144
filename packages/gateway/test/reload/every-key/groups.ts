import { auditGroup } from './audit.ts';
import { channelsGroup } from './channels.ts';
import { credentialsGroup } from './credentials.ts';
import { modelsGroup } from './models.ts';
import { peopleGroup } from './people.ts';
import { policyGroup } from './policy.ts';
import { proxyGroup } from './proxy.ts';
import { sshGroup } from './ssh.ts';
import { toolsGroup } from './tools.ts';
import { workspaceGroup } from './workspace.ts';

/** Every group of keys; a key that is in none of them fails `complete.test.ts`. */
export const GROUPS = [
  policyGroup,
  credentialsGroup,
  channelsGroup,
  proxyGroup,
  peopleGroup,
  modelsGroup,
  auditGroup,
  toolsGroup,
  workspaceGroup,
  sshGroup,
] as const;
