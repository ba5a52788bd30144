/** Where a private key begins, as PEM and as PGP writes it. */
export const PRIVATE_KEY = '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';

/**
 * Keys and tokens whose issuers gave them a form of their own, as sources of regular expressions.
 *
 * INVARIANT: linear time. Every repetition is of one class that its successor cannot start with, or bounded.
 */
export const KEY_FORMATS: readonly string[] = [
  'sp[tkoe]_[A-Za-z0-9_-]{16,}',
  'gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[\\w-]{16,}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'xox[abeprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}',
  '\\bsk-[A-Za-z0-9_-]{20,}|[rs]k_live_[A-Za-z0-9]{16,}|AIza[\\w-]{35}|npm_[A-Za-z0-9]{30,}',
  // The look-behind lets a match start only where a run of these characters starts.
  '(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*',
];
