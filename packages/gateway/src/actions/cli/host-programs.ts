/** Which words of a program name hosts. */
export interface HostWords {
  /** options whose value is a host, a place or a list of them */
  readonly hosts?: string;
  /** options whose value is `NAME=value` */
  readonly settings?: string;
  /** options whose value is the port of the host */
  readonly ports?: string;
  /** options with another value, which is no operand */
  readonly values?: string;
  /**
   * What operands are: `first`: the first one is a place; `socket`: a host and its port; `addresses`: those that are
   * addresses by their form; `keyed`: in any word, a text like `host=x dbname=y`. Otherwise they name no host.
   */
  readonly operands?: 'first' | 'socket' | 'addresses' | 'keyed';
}

const POSTGRES: HostWords = {
  hosts: '-h --host',
  ports: '-p --port',
  values: '-U --username -d --dbname -c --command -f --file -v --set -o --output -t -T -n -N',
  operands: 'keyed',
};
const MYSQL: HostWords = { hosts: '-h --host', ports: '-P --port', operands: 'keyed' };
const MONGO: HostWords = { hosts: '-h --host', ports: '--port', operands: 'addresses' };
const SOCKET: HostWords = {
  hosts: '-x --proxy',
  values: `-b -c -e -g -G -i -I -K -m -M -o -O -p -P -q -s -T -V -w -W -X --exec --sh-exec --lua-exec --source
    --source-port --wait --idle-timeout --proxy-type --proxy-auth --proxy-dns --delay --output --ssl-cert --ssl-key
    --ssl-trustfile --ssl-ciphers --ssl-servername --max-conns`,
  operands: 'socket',
};
const HTTPIE: HostWords = {
  hosts: '--proxy --host',
  values: `-a --auth -A --auth-type -o --output -s --style -p --print --session --session-read-only --timeout
    --max-redirects --verify --cert --cert-key --boundary --raw --format-options --pretty -f -m -b --bearer`,
  operands: 'first',
};
const BROWSER: HostWords = { operands: 'addresses' };
const MQTT: HostWords = { hosts: '-h --host -L --url', ports: '-p --port', values: '-t -m -u -P -i' };
const PYTHON_PACKAGES: HostWords = {
  hosts: `-i --index-url --extra-index-url --proxy --trusted-host -f --find-links --index --default-index
    --allow-insecure-host`,
};
const NODE_PACKAGES: HostWords = { hosts: '--registry --proxy --https-proxy --http-proxy --noproxy-host' };
const KAFKA: HostWords = { hosts: '--bootstrap-server --broker-list --zookeeper -b' };
const HASHICORP: HostWords = { hosts: '-address --address -http-addr --http-addr' };

/**
 * Programs of which the words alone say where they go. What a row does not have is read as a plain word: a row is
 * allowed to be too short, never to name a host where there is none.
 */
export const HOST_PROGRAMS: Readonly<Record<string, HostWords>> = {
  nc: SOCKET,
  ncat: SOCKET,
  netcat: SOCKET,
  'nc.openbsd': SOCKET,
  'nc.traditional': SOCKET,
  telnet: { values: '-l -n -b -e -S -X', operands: 'socket' },
  ftp: { operands: 'socket' },
  tftp: { values: '-m -c', operands: 'socket' },
  lftp: { values: '-e -c -f -u', ports: '-p', operands: 'addresses' },
  openssl: { hosts: '-connect -host -proxy -url', ports: '-port', operands: 'addresses' },
  'gnutls-cli': { ports: '-p --port', operands: 'addresses' },
  http: HTTPIE,
  https: HTTPIE,
  xh: HTTPIE,
  xhs: HTTPIE,
  httpie: BROWSER,
  curlie: BROWSER,
  lynx: BROWSER,
  w3m: BROWSER,
  links: BROWSER,
  elinks: BROWSER,
  axel: BROWSER,
  ab: BROWSER,
  wrk: BROWSER,
  hey: { hosts: '-x', operands: 'addresses' },
  websocat: BROWSER,
  wscat: { hosts: '-c --connect --proxy' },
  grpcurl: BROWSER,
  grpc_cli: BROWSER,
  aria2c: { hosts: '--all-proxy --http-proxy --https-proxy --ftp-proxy', operands: 'addresses' },
  psql: POSTGRES,
  pg_dump: POSTGRES,
  pg_dumpall: POSTGRES,
  pg_restore: POSTGRES,
  pg_isready: POSTGRES,
  pgcli: POSTGRES,
  createdb: POSTGRES,
  dropdb: POSTGRES,
  mysql: MYSQL,
  mariadb: MYSQL,
  mysqldump: MYSQL,
  'mariadb-dump': MYSQL,
  mysqladmin: MYSQL,
  mycli: MYSQL,
  'redis-cli': { hosts: '-h -u', ports: '-p', values: '-a --user --pass -n' },
  'valkey-cli': { hosts: '-h -u', ports: '-p', values: '-a --user --pass -n' },
  mongosh: MONGO,
  mongo: MONGO,
  mongodump: MONGO,
  mongorestore: MONGO,
  mongoexport: MONGO,
  mongoimport: MONGO,
  cqlsh: { operands: 'addresses' },
  sqlcmd: { hosts: '-S' },
  bcp: { hosts: '-S' },
  'clickhouse-client': { hosts: '-h --host', ports: '--port' },
  influx: { hosts: '-host --host', ports: '-port --port' },
  etcdctl: { hosts: '--endpoints' },
  consul: HASHICORP,
  vault: HASHICORP,
  nomad: HASHICORP,
  nats: { hosts: '-s --server' },
  kcat: KAFKA,
  kafkacat: KAFKA,
  mosquitto_pub: MQTT,
  mosquitto_sub: MQTT,
  ldapsearch: { hosts: '-H -h', ports: '-p' },
  smbclient: { hosts: '-I --ip-address', operands: 'first' },
  dig: { operands: 'addresses' },
  nslookup: { operands: 'addresses' },
  // `docker pull HOST/IMAGE`
  docker: { hosts: '-H --host', operands: 'addresses' },
  podman: { hosts: '--url', operands: 'addresses' },
  buildah: { operands: 'addresses' },
  mount: { operands: 'addresses' },
  'mount.nfs': { operands: 'addresses' },
  'mount.cifs': { operands: 'addresses' },
  showmount: { operands: 'addresses' },
  kubectl: { hosts: '-s --server --proxy-url' },
  oc: { hosts: '-s --server' },
  helm: { hosts: '--kube-apiserver --repo' },
  gh: { hosts: '--hostname' },
  glab: { hosts: '--hostname' },
  aws: { hosts: '--endpoint-url' },
  s3cmd: { hosts: '--host --host-bucket' },
  git: { settings: '-c --config' },
  wget: {
    settings: '-e --execute',
    values: `-o -O -a -i -B -t -T -w -Q -P -U -l -A -R -D -I -X --header --user-agent --tries --timeout --method
      --body-data --post-data --output-document --directory-prefix`,
    operands: 'addresses',
  },
  wget2: { settings: '-e --execute', operands: 'addresses' },
  java: { settings: '-D' },
  mvn: { settings: '-D --define' },
  gradle: { settings: '-D -P' },
  pip: PYTHON_PACKAGES,
  pip3: PYTHON_PACKAGES,
  uv: PYTHON_PACKAGES,
  poetry: PYTHON_PACKAGES,
  npm: NODE_PACKAGES,
  npx: NODE_PACKAGES,
  pnpm: NODE_PACKAGES,
  yarn: NODE_PACKAGES,
  bun: NODE_PACKAGES,
};
