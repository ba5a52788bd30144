import type { ReferenceLines } from './reference-lines.ts';

/** Compilers, builders, checkers, interpreters. */
export const BUILD_LINES: ReferenceLines = {
  cargo: {
    read: `--version
      metadata --format-version 1
      tree
      --list`,
    fetch: `search serde
      fetch
      update
      add tokio --features full`,
    work: `build --release
      test
      test -- --nocapture
      run -- --port 8080
      check
      clippy --all-targets
      fmt
      fmt --check
      doc --no-deps
      bench
      new --lib parser
      clean
      +nightly build
      publish --dry-run`,
    send: `publish
      login
      yank --version 1.0.1
      owner --add mira`,
    host: 'install ripgrep',
  },
  go: {
    read: `version
      env GOPATH
      list ./...
      doc fmt.Println
      help build`,
    fetch: `get example.com/lib@v1.2.0
      mod download
      mod tidy`,
    work: `build ./...
      build -o bin/app ./cmd/app
      test ./...
      test -run TestLogin -v ./auth
      test -race -cover ./...
      vet ./...
      fmt ./...
      run .
      generate ./...
      mod init example.com/app
      clean -cache`,
    host: 'install golang.org/x/tools/gopls@latest',
  },
  mvn: {
    read: `--version
      dependency:tree`,
    work: `compile
      test
      clean package
      clean install -DskipTests
      verify
      -q clean verify`,
    send: `deploy
      clean deploy`,
  },
  gradle: {
    read: `--version
      tasks
      projects`,
    work: `build
      test
      clean build
      check
      assemble
      build -x test
      test --tests com.acme.LoginTest
      jar`,
    send: 'publish',
  },
  make: {
    read: '--version',
    work: `-j8
      test
      clean all
      -C lib build
      -f Makefile.dev lint
      CC=clang all`,
    send: '-n deploy',
  },
  cmake: {
    read: '--version',
    work: `-S . -B build
      -B build -DCMAKE_BUILD_TYPE=Release
      --build build --parallel 4
      --build build --target test
      -G Ninja -B out`,
  },
  pytest: {
    read: '--version',
    work: `-q
      tests/test_login.py
      tests/test_login.py::test_logout
      -k "login and not slow"
      -x --lf
      -m slow
      -n 4
      --cov=app --cov-report=term-missing
      --collect-only
      --durations=10`,
  },
  tsc: {
    read: `--version
      --help`,
    work: `--noEmit
      -p tsconfig.build.json
      --build
      --watch
      --init
      --outDir dist src/main.ts
      --showConfig`,
  },
  eslint: {
    read: '--version',
    work: `.
      src --ext .ts,.tsx
      --fix src
      --max-warnings 0 src
      --format json -o report.json src
      --cache .
      --print-config src/main.ts`,
  },
  prettier: {
    read: '--version',
    work: `--write .
      --check src
      --write 'src/**/*.ts'
      -l docs
      --config .prettierrc --write README.md`,
  },
  node: {
    read: `--version
      --help
      --check server.js`,
    work: `server.js
      --test
      --watch app.js
      --inspect app.js
      scripts/seed.js --count 5
      --run build`,
    host: `-e 'console.log(1 + 1)'
      -p process.version`,
  },
  python: {
    read: `--version
      -V
      --help`,
    work: `app.py
      manage.py migrate
      -m pytest -q
      -m unittest discover
      -m venv .venv
      -m compileall src
      -m json.tool data.json pretty.json`,
    fetch: `-m pip install requests
      -m pip install -r requirements.txt`,
    host: `-c 'print(6 * 7)'
      -m http.server 8000`,
  },
};
