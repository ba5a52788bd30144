import type { CliTable } from '../table/cli-table.ts';
import type { Refine } from '../table/read-table.ts';

/** brew, apt, systemctl, journalctl, tmux: this machine. Looking is free, whatever changes it asks. */
export const BREW: CliTable = {
  globals: {
    none: '-h|--help -v|--verbose -d|--debug -q|--quiet --version --prefix --cellar --cache --caskroom --repository',
  },
  options: {
    none: `--formula|--formulae --cask|--casks --versions --full-name --multiple --pinned -l -r -t -1 --json --all --installed
      --tree --include-build --include-optional --include-test --greedy --fetch-HEAD --eval-all --desc --github --analytics
      --force -f --dry-run -n --force-bottle -s|--build-from-source --overwrite --adopt --zap --ignore-dependencies --no-ask
      --cleanup --no-upgrade --file-only --describe --global`,
    value: '--file --days --prune',
    maybe: '--json',
  },
  rows: {
    look: `list|ls, config, doctor|dr, deps, uses, leaves, missing, cat, commands, log, formulae, casks, desc, help,
      shellenv, services list|ls, services info, tap-info, bundle list, bundle check`,
    ask: 'search, outdated, livecheck, info|abv',
    host: `install, uninstall|rm|remove, upgrade, update|up, reinstall, link|ln, unlink, cleanup, autoremove, pin, unpin, tap, untap,
      services start, services stop, services restart, services run, services kill, services cleanup, bundle, bundle install,
      bundle dump, bundle cleanup, fetch, migrate, postinstall, completions, analytics`,
    code: 'edit, create, sh, irb, ruby, test, extract, bundle exec',
  },
  help: '-h --help --prefix --cellar --cache --caskroom --repository',
  unknowable: { 'home|homepage': 'it opens a browser' },
  dry: { option: '--dry-run', as: 'look' },
  places: '--file',
};

/** `brew tap` alone lists; with a name it takes programs from there. */
export const refineBrew: Refine = ({ row, parsed }, kind) =>
  row.path === 'tap' && parsed.positionals.length === 0 ? 'look' : kind;

export const APT: CliTable = {
  globals: {
    none: `-h|--help -v|--version -q|--quiet -y|--yes|--assume-yes --assume-no -d|--download-only -f|--fix-broken -m|--fix-missing
      -s|--just-print|--dry-run|--recon|--no-act|--simulate -u|--show-upgraded -V|--verbose-versions --no-install-recommends
      --install-recommends --install-suggests --no-upgrade --only-upgrade --reinstall --purge --auto-remove|--autoremove
      --allow-downgrades --allow-remove-essential --allow-change-held-packages --force-yes --allow-unauthenticated
      --allow-insecure-repositories --no-download --print-uris --trivial-only --no-remove --installed --upgradable
      --upgradeable --manual-installed -a|--all-versions --names-only -n -i|--important -b|--build|--compile --no-all-versions
      --only-source --no-list-cleanup --recurse --full --full-text --qq -qq --with-new-pkgs --update`,
    value:
      '-t|--target-release|--default-release -a|--host-architecture -P|--build-profiles -c|--config-file -o|--option',
  },
  own: { 'list, show, policy, madison': { none: '-a|--all-versions' } },
  rows: {
    look: `list, show|info, search, policy, depends, rdepends, showsrc, showpkg, pkgnames, madison, check, help, stats, unmet, dump,
      dotty, showhold, showmanual, showauto, why`,
    ask: 'changelog',
    fetch: 'download, source',
    host: `install, reinstall, remove, purge, autoremove|auto-remove|autopurge, update, upgrade, full-upgrade, dist-upgrade,
      dselect-upgrade, build-dep, satisfy, clean, distclean, autoclean|auto-clean, hold, unhold, manual, auto, mark,
      gencaches, modernize-sources`,
    code: 'edit-sources',
  },
  dry: { option: '--simulate', as: 'look' },
  where: '--default-release',
  traps: {
    '--config-file --option': 'sets options that can name a program',
    '--allow-unauthenticated --allow-insecure-repositories --force-yes': 'trusts packages that nobody signed',
    '--allow-remove-essential': 'removes what the machine needs',
  },
};

export const SYSTEMCTL: CliTable = {
  style: { abbreviations: true },
  globals: {
    none: `-h|--help --version --system --user --failed -a|--all -l|--full -r|--recursive --reverse --with-dependencies
      -T|--show-transaction --show-types --value -i --now -q|--quiet --wait --no-block --no-wall --no-reload --no-pager
      --no-legend --no-ask-password --global --runtime -f|--force --firmware-setup --plain --read-only --mkdir --marked
      --dry-run --after --before`,
    value: `-H|--host -M|--machine -t|--type --state -p|--property -P --job-mode --check-inhibitors --kill-whom --kill-who
      -s|--signal --what --legend --preset-mode --root --image -n|--lines -o|--output --boot-loader-menu --boot-loader-entry
      --timestamp --message --drop-in`,
  },
  rows: {
    look: `status, show, cat, help, is-active, is-enabled, is-failed, is-system-running, list-units, list-unit-files, list-timers,
      list-sockets, list-automounts, list-paths, list-dependencies, list-jobs, list-machines, get-default, show-environment,
      log-level, log-target, whoami`,
    host: `start, stop, restart, reload, try-restart, reload-or-restart, try-reload-or-restart, enable, disable, reenable, mask, unmask,
      preset, preset-all, link, revert, add-wants, add-requires, daemon-reload, daemon-reexec, reset-failed, kill, clean,
      freeze, thaw, set-property, set-default, cancel, isolate, bind, mount-image, service-log-level, service-log-target,
      service-watchdogs, set-environment, unset-environment, import-environment`,
    destroy: `default, rescue, emergency, halt, poweroff, reboot, soft-reboot, kexec, exit, switch-root, suspend, hibernate,
      hybrid-sleep, suspend-then-hibernate, sleep`,
    code: 'edit',
  },
  bare: 'look',
  where: '--user --machine',
  traps: {
    '--host': 'acts on another machine',
    '--machine': 'acts in another container',
    '--root --image': 'works on another system',
  },
};

export const JOURNALCTL: CliTable = {
  style: { abbreviations: true },
  options: {
    none: `-h|--help --version --system --user -m|--merge -k|--dmesg -e|--pager-end -f|--follow --no-tail -r|--reverse --utc -x|--catalog
      --no-hostname --no-full --full -l -a|--all -q|--quiet --no-pager --list-boots --fields --show-cursor --disk-usage
      --header --rotate --flush --sync --relinquish-var --smart-relinquish-var --setup-keys --force --list-catalog
      --dump-catalog --update-catalog --verify -b1`,
    value: `-u|--unit --user-unit -S|--since -U|--until -p|--priority -g|--grep --case-sensitive -o|--output --output-fields -n|--lines
      -c|--cursor --after-cursor --cursor-file -F|--field -t|--identifier --facility -D|--directory --file --root --image
      --namespace -M|--machine --vacuum-size --vacuum-files --vacuum-time --interval --verify-key`,
    maybe: '-b|--boot',
  },
  rows: {},
  bare: 'look',
  help: '-h --help --version',
  raises: {
    '--rotate --flush --sync --relinquish-var --smart-relinquish-var --setup-keys --vacuum-size --vacuum-files --vacuum-time --update-catalog':
      'host',
  },
  outputs: '--cursor-file',
  traps: { '--root --image --machine': 'looks at another system' },
};

export const TMUX: CliTable = {
  globals: { none: '-2 -C -D -l -N -u -V -v -h', value: '-c -f -L -S -T' },
  options: {
    none: '-a -d -g -p -P -q -r -v -e -J -N -A -D -E -X -w -s -o -u -C -O -h -b -Z -k -l -n -U -M -H -R',
    value: '-t -F -S -f -c -I',
  },
  own: { 'display-message': { none: '-a -l -N -p -v -I', value: '-c -d -t' } },
  rows: {
    look: `list-sessions|ls, list-windows|lsw, list-panes|lsp, list-clients|lsc, list-keys|lsk, list-commands|lscm, list-buffers|lsb,
      show-options|show, show-window-options|showw, show-environment|showenv, show-buffer|showb, show-hooks,
      show-messages|showmsgs, show-prompt-history|showphist, display-message|display, capture-pane|capturep, has-session|has,
      info, start-server|start`,
    host: `kill-session, kill-server, kill-window|killw, kill-pane|killp, detach-client|detach, switch-client|switchc,
      attach-session|attach, rename-session|rename, rename-window|renamew, select-layout|selectl, select-pane|selectp,
      select-window|selectw, resize-pane|resizep, resize-window|resizew, swap-pane|swapp, swap-window|swapw,
      move-pane|movep, move-window|movew, join-pane|joinp, break-pane|breakp, link-window|linkw, unlink-window|unlinkw,
      last-pane|lastp, last-window|last, next-window|next, previous-window|prev, next-layout|nextl, previous-layout|prevl,
      rotate-window|rotatew, clear-history|clearhist, clear-prompt-history|clearphist, delete-buffer|deleteb,
      set-buffer|setb, refresh-client|refresh, lock-client|lockc, lock-server|lock, lock-session|locks,
      suspend-client|suspendc, server-access, copy-mode, clock-mode, choose-tree, choose-buffer, choose-client,
      customize-mode, display-panes|displayp, find-window|findw, send-prefix, unbind-key|unbind, wait-for|wait,
      save-buffer|saveb`,
    code: `new-session|new, new-window|neww, split-window|splitw, respawn-pane|respawnp, respawn-window|respawnw, run-shell|run,
      if-shell|if, pipe-pane|pipep, send-keys|send, source-file|source, bind-key|bind, set-hook, set-option|set,
      set-window-option|setw, set-environment|setenv, command-prompt, confirm-before|confirm, display-popup|popup,
      display-menu|menu, load-buffer|loadb, paste-buffer|pasteb`,
  },
  where: '-L -S',
  // `-h` divides a window side by side.
  help: '',
  traps: { '-f -c': 'names a file or a line that tmux runs' },
};

/** SECURITY: a word that ends in `;` begins the next command of tmux, and a format runs programs: `#(id)`. */
export const refineTmux: Refine = ({ words }, kind) => {
  if (words.some((word) => word.endsWith(';'))) return { unknown: 'a `;` begins another command of tmux' };
  return words.some((word) => word.includes('#(')) ? { unknown: 'a format of tmux runs a program' } : kind;
};
