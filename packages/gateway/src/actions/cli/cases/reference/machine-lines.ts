import type { ReferenceLines } from './reference-lines.ts';

/** This machine, other machines, data. */
export const MACHINE_LINES: ReferenceLines = {
  systemctl: {
    read: `status nginx
      list-units --type=service
      list-unit-files
      is-active nginx
      is-enabled nginx
      show nginx
      cat nginx
      --failed
      list-timers`,
    host: `start nginx
      stop nginx
      restart nginx
      reload nginx
      enable --now nginx
      disable nginx
      daemon-reload
      mask nginx
      reboot`,
  },
  tmux: {
    read: `-V
      ls
      list-sessions
      list-windows
      capture-pane -p -t main
      list-keys`,
    host: `new -s main
      new-session -d -s build
      attach -t main
      kill-session -t main
      kill-server
      split-window -h
      rename-session -t main side
      detach`,
  },
  ssh: {
    send: `ana@build.example.com
      -p 2222 ana@build.example.com
      build.example.com uptime
      -i ~/.ssh/id_ed25519 build.example.com
      -J jump.example.com build.example.com`,
    read: '-V',
    asks: '-L 8080:localhost:80 build.example.com',
  },
  scp: {
    send: `a.txt ana@build.example.com:/tmp/
      -r dist build.example.com:/srv/www
      -P 2222 a.txt build.example.com:`,
    fetch: 'build.example.com:/var/log/app.log .',
  },
  rsync: {
    read: '--version',
    send: `-avz dist/ build.example.com:/srv/www/
      -av --delete dist/ build.example.com:/srv/www/
      -e ssh -av src/ build.example.com:src/`,
    fetch: `-av build.example.com:/srv/www/ backup/
      -avn dist/ build.example.com:/srv/www/`,
    work: `-av src/ copy/
      -a --exclude node_modules ./ out/`,
  },
  psql: {
    read: '--version',
    fetch: `-l
      -c 'select count(*) from users'
      -h db.example.com -U app shop -c 'select now()'
      -d shop -c '\\dt'`,
    send: `-c "update users set name = 'x'"
      -c 'drop table users'
      -c 'create index on users (mail)'
      -d shop -c 'insert into t values (1)'`,
  },
  mysql: {
    read: '--version',
    fetch: `-e 'show databases'
      -u app shop -e 'select 1'
      -h db.example.com -e 'show processlist'`,
    send: `-e 'drop database shop'
      shop -e 'delete from users'
      -e 'create database shop2'`,
  },
  sqlite3: {
    read: `--version
      app.db .tables
      app.db .schema
      app.db 'select * from users limit 5'
      -json app.db 'select 1'
      -header -csv app.db 'select * from t'`,
    work: `app.db 'delete from users'
      app.db 'create table t (a int)'
      app.db 'insert into t values (1)'
      app.db vacuum`,
  },
  'redis-cli': {
    read: '--version',
    fetch: `ping
      get user:1
      -h cache.example.com info
      keys 'user:*'
      ttl user:1
      dbsize`,
    send: `set user:1 mira
      del user:1
      flushall
      expire user:1 60
      config set maxmemory 1gb`,
  },
  jq: {
    read: `. data.json
      -r '.items[].name' data.json
      '.[] | select(.age > 30)' people.json
      -c . data.json
      --arg v 1 '.x = $v' data.json
      -s 'map(.n) | add' a.json b.json
      keys package.json
      length data.json`,
  },
  tar: {
    work: `cf a.tar src
      czf a.tgz src docs
      xf a.tar
      -xzf a.tgz
      xf a.tar -C out
      cJf a.tar.xz src
      -czf a.tgz --exclude=node_modules .
      tf a.tar
      -tvf a.tar.gz`,
  },
};
