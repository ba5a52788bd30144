import type { Word } from '../words/word.ts';

/** Options of git itself that take the next word. */
const WITH_VALUE = /^(?:-[cC]|--(?:git-dir|work-tree|namespace|exec-path|config-env|super-prefix))$/;

/**
 * Whether a git command throws away what no commit holds: changes that were not committed, files that nobody added, stashes,
 * or commits that no branch keeps any more.
 */
export function gitDestroys(args: readonly Word[]): boolean {
  let at = 0;
  while (args[at]?.text.startsWith('-') === true) at += WITH_VALUE.test(args[at]?.text ?? '') ? 2 : 1;
  const words = args.slice(at + 1).map(({ text }) => text);
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  switch (args[at]?.text) {
    case 'reset':
      return has(/^--(?:h|me|k)/);
    case 'clean':
      return !has(/^(?:-[a-z]*n[a-z]*|--dry-run|-h|--help)$/);
    case 'checkout':
      return discards(words);
    case 'switch':
      return has(/^(?:-[a-zA-Z]*[fC]|--(?:force|discard-changes|force-create))/);
    case 'restore':
      return !has(/^(?:-[a-zA-Z]*S|--staged)/) || has(/^(?:-[a-zA-Z]*W|--worktree)/);
    case 'stash':
      return words[0] === 'drop' || words[0] === 'clear';
    case 'branch':
      return has(/^-[a-zA-Z]*[DMC]/) || (has(/^(?:-[a-zA-Z]*d|--delete)/) && has(/^(?:-[a-zA-Z]*f|--force)/));
    case 'rm':
      return has(/^(?:-[a-zA-Z]*[rf]|--force)/) && !has(/^--cached$/);
    case 'reflog':
      return words[0] === 'expire' || words[0] === 'delete' || words[0] === 'drop';
    case 'gc':
      return has(/^--prune/);
    case 'prune':
    case 'filter-branch':
    case 'filter-repo':
      return true;
    case 'update-ref':
      return has(/^(?:-d|--delete|--stdin)$/);
    case 'worktree':
      return words[0] === 'remove' && has(/^(?:-[a-z]*f|--force)/);
    case 'submodule':
      return has(/^deinit$/);
    case 'read-tree':
      return has(/^(?:-u|--reset)/);
    case 'checkout-index':
      return has(/^(?:-[a-z]*f|--force)/);
    case 'tag':
      return has(/^(?:-[a-zA-Z]*[df]|--delete|--force)/);
    // open: any verb of git
    default:
      return false;
  }
}

/** `checkout` changes the branch, or throws changes of files away: by its words alone that is not always plain. */
function discards(words: readonly string[]): boolean {
  if (words.some((word) => /^(?:-[a-zA-Z]*[fB]|--(?:force|ours|theirs|merge|pathspec))/.test(word)))
    return true;
  if (words.includes('--')) return words.at(-1) !== '--' || words[0] !== '--';
  if (words.some((word) => /^(?:-[a-zA-Z]*b|--(?:orphan|track|detach)|-t)/.test(word))) return false;
  const names = words.filter((word) => !word.startsWith('-') || word === '-');
  if (names.length > 1) return true;
  const [only = ''] = names;
  return /^(?:\.{1,2}(?:$|\/)|:|\/|~\/)|\/$|[*?[]|\.[A-Za-z]\w{0,4}$/.test(only);
}
