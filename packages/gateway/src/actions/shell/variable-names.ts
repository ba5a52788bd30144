/** Variables that name no program, file or host: looks, levels, numbers. Everything else may change what a program runs. */
const HARMLESS = new Set([
  'LANG',
  'LANGUAGE',
  'TZ',
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  'FORCE_COLOR',
  'CLICOLOR',
  'CLICOLOR_FORCE',
  'CI',
  'COLUMNS',
  'LINES',
  'DEBUG_COLORS',
  'NODE_ENV',
  'RUST_BACKTRACE',
  'RUST_LOG',
  'RUST_TEST_THREADS',
  'LOG_LEVEL',
  'LOGLEVEL',
  'VERBOSE',
  'PORT',
  'APP_ENV',
  'RAILS_ENV',
  'RACK_ENV',
  'FLASK_ENV',
  'MIX_ENV',
  'CGO_ENABLED',
  'GOOS',
  'GOARCH',
  'GOMAXPROCS',
  'OMP_NUM_THREADS',
  'PYTHONUNBUFFERED',
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONHASHSEED',
  'CARGO_TERM_COLOR',
  'CARGO_INCREMENTAL',
  'PY_COLORS',
  'TF_IN_AUTOMATION',
  'HUSKY',
  'NEXT_TELEMETRY_DISABLED',
  'DO_NOT_TRACK',
]);
const LOCALE = /^LC_[A-Z]+$/;

// Lower-case names that programs (or zsh itself) do read.
const READ_BY_SHELLS = new Set([
  'path',
  'fpath',
  'cdpath',
  'manpath',
  'mailpath',
  'module_path',
  'prompt',
  'histchars',
  'argv',
  'status',
  'options',
  'functions',
  'aliases',
  'commands',
  'builtins',
  'widgets',
  'signals',
  'psvar',
  'watch',
]);
const LOCAL_NAME = /^[a-z_][a-z0-9_]*$/;
const READ_BY_PROGRAMS = /proxy|^npm_|^_$|^chpwd|^precmd|^preexec|^zsh/;

/** Whether a variable may reach a program's environment without changing what the program does. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS.has(name) || LOCALE.test(name);
}

/**
 * Whether a plain assignment may be ignored. An upper-case name may be exported already (`PATH`, `GIT_DIR`), so
 * only lower-case names and harmless ones pass.
 */
export function isLocalVariable(name: string): boolean {
  if (isHarmlessVariable(name)) return true;
  return LOCAL_NAME.test(name) && !READ_BY_SHELLS.has(name) && !READ_BY_PROGRAMS.test(name);
}
