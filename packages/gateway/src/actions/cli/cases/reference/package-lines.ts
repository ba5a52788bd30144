import type { ReferenceLines } from './reference-lines.ts';

/** Package managers. */
export const PACKAGE_LINES: ReferenceLines = {
  npm: {
    read: `--version
      ls --depth=0
      ls --all
      ls -g --depth=0
      help install
      config get registry
      prefix -g
      root`,
    fetch: `view express versions --json
      search date parser
      outdated
      audit
      ping
      install
      ci
      i -D vitest
      install left-pad@1.3.0 --save-exact
      update`,
    work: `test
      run build
      run lint -- --fix
      init -y
      version minor --no-git-tag-version
      pack --dry-run`,
    send: `publish --access public
      publish --tag next
      deprecate my-lib@1.0.0 "use 2"
      dist-tag add my-lib@2.1.0 latest
      owner add mira my-lib
      unpublish my-lib@0.0.1
      login
      token create`,
  },
  pnpm: {
    read: `--version
      list --depth 1
      why lodash`,
    fetch: `install
      install --frozen-lockfile
      add zod
      add -D typescript
      update --latest
      outdated
      audit`,
    work: `test
      run build
      remove zod`,
    send: 'publish --no-git-checks',
  },
  yarn: {
    read: `--version
      why react
      list --pattern react`,
    fetch: `install
      add react-dom
      add --dev jest
      upgrade
      outdated
      info react`,
    work: `test
      run build
      remove jest`,
    send: `publish
      npm publish`,
  },
  pip: {
    read: `--version
      list
      list --format=json
      list --user
      show flask
      freeze
      check`,
    fetch: `install flask
      install -r requirements.txt
      install 'django>=5,<6'
      install --upgrade pip
      install -e .
      download numpy -d wheels
      index versions requests
      list --outdated
      wheel . -w dist`,
    work: 'uninstall -y flask',
  },
  uv: {
    read: `--version
      pip list
      tree
      python list --only-installed`,
    fetch: `sync
      add httpx
      lock
      pip install ruff
      venv`,
    work: `run pytest -q
      build
      remove httpx
      init`,
    send: 'publish',
    host: 'python install 3.13',
  },
  poetry: {
    read: `--version
      show
      show --tree
      check
      env info`,
    fetch: `install
      add pendulum
      add --group dev mypy
      update
      lock`,
    work: `build
      run pytest
      remove pendulum
      version patch`,
    send: 'publish --build',
  },
  brew: {
    read: `--version
      list
      list --versions wget
      deps --tree wget
      leaves
      config
      services list`,
    fetch: `search ripgrep
      info jq
      outdated`,
    host: `install ripgrep
      upgrade
      upgrade jq
      uninstall wget
      cleanup
      services start redis
      tap acme/tools`,
  },
  apt: {
    read: `list --installed
      show curl
      search 'json parser'
      policy nginx
      depends curl`,
    host: `update
      install -y ripgrep
      upgrade
      full-upgrade
      remove nginx
      purge nginx
      autoremove
      clean`,
  },
};
