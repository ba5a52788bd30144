import { expect, test } from 'vitest';
import { explainNoNamespaces } from './probe-jail.ts';

test.each([
  {
    why: 'Debian’s switch',
    facts: { clone: '0' },
    names: 'unprivileged_userns_clone',
    fix: 'sysctl -w kernel',
  },
  { why: 'a hardened kernel', facts: { most: '0' }, names: 'max_user_namespaces', fix: 'sysctl -w user' },
  { why: 'Ubuntu since 24.04', facts: { apparmor: '1' }, names: 'AppArmor', fix: '/etc/apparmor.d/' },
  { why: 'Docker', facts: { isContainer: true }, names: 'this is a container', fix: '--security-opt' },
  { why: 'anything else', facts: {}, names: 'bwrap: No permissions', fix: 'docs/sandbox.md' },
])('$why is named with its fix', ({ facts, names, fix }) => {
  const said = 'bwrap: No permissions to create new namespace\nmore';
  const error = explainNoNamespaces({
    apparmor: undefined,
    clone: undefined,
    most: undefined,
    isContainer: false,
    said,
    ...facts,
  });
  expect(error.code).toBe('SandboxUnavailable');
  expect(error.message).toContain(names);
  expect(error.hint).toContain(fix);
});
