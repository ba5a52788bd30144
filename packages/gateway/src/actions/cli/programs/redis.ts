import { hasOption, optionTable, parseArgv } from '../argv-parser.ts';
import { asUnknown, type CliClassifier, type CliIntent } from '../cli-intent.ts';
import { shownWord } from '../cli-object.ts';
import { withHosts } from '../host-text.ts';
import { hostsInWords } from '../named-hosts.ts';
import { intentOf, type RowKind } from '../table/row-kinds.ts';

const REDIS_OPTIONS = optionTable({
  none: `-2 -3 -x -X -c -e --tls --insecure --raw --no-raw --quoted-input --csv --json --quoted-json --stat --latency --latency-history
    --latency-dist --replica --pipe --bigkeys --memkeys --hotkeys --scan --askpass --no-auth-warning --verbose --version
    --help -v --ldb --ldb-sync-mode`,
  value: `-h -p -s -a --user --pass -u -r -i -n -d -D --sni --cacert --cacertdir --cert --key --tls-ciphers --tls-ciphersuites
    --show-pushes --lru-test --rdb --functions-rdb --pipe-timeout --memkeys-samples --pattern --quoted-pattern --count
    --intrinsic-latency --eval --cluster`,
});
/** Redis commands by what they do. */
export const REDIS_COMMANDS: Readonly<Partial<Record<RowKind, string>>> = {
  query: `get mget strlen getrange substr exists type ttl pttl expiretime pexpiretime keys scan randomkey dbsize object dump touch-info
    hget hmget hgetall hkeys hvals hlen hexists hstrlen hscan hrandfield lrange llen lindex lpos smembers sismember smismember
    scard srandmember sscan sinter sunion sdiff sintercard zrange zrangebyscore zrangebylex zrevrange zrevrangebyscore zscore
    zmscore zrank zrevrank zcard zcount zlexcount zscan zrandmember zinter zunion zdiff xrange xrevrange xlen xread xinfo
    xpending geopos geodist geosearch geohash bitcount bitpos getbit pfcount ping echo info time lastsave command memory
    slowlog latency lolwut role wait-info ft.search ft.info ft._list json.get json.type ts.range ts.info`,
  mutate: `set setnx setex psetex mset msetnx append incr incrby incrbyfloat decr decrby getset getdel getex setrange setbit del unlink
    expire pexpire expireat pexpireat persist rename renamenx copy move touch restore hset hmset hsetnx hincrby hincrbyfloat
    hdel hexpire lpush rpush lpushx rpushx lpop rpop lset lrem ltrim linsert lmove rpoplpush blpop brpop sadd srem spop
    smove sinterstore sunionstore sdiffstore zadd zrem zincrby zpopmin zpopmax zremrangebyscore zremrangebyrank zrangestore
    zunionstore zinterstore xadd xdel xtrim xgroup xack xreadgroup xclaim xautoclaim pfadd pfmerge geoadd bitop bitfield sort
    publish spublish subscribe psubscribe monitor json.set json.del ts.add multi exec discard watch unwatch select`,
  admin: `flushdb flushall shutdown config debug save bgsave bgrewriteaof slaveof replicaof failover cluster module acl auth hello client
    eval evalsha eval_ro script function fcall fcall_ro migrate swapdb reset psync sync replconf asking readonly readwrite`,
};

const REDIS_KINDS: ReadonlyMap<string, RowKind> = new Map(
  // The keys are kinds: the type says so.
  Object.entries(REDIS_COMMANDS).flatMap(([kind, names]) =>
    names.split(/\s+/).map((name) => [name, kind as RowKind] as const),
  ),
);
const REDIS_TRAPS: Readonly<Record<string, string>> = {
  '--eval': 'runs a script',
  '--pipe': 'takes commands from its input',
  '--cluster': 'changes a cluster',
  '--rdb': 'writes a file',
  '--functions-rdb': 'writes a file',
  '--replica': 'acts as another server',
  '-a': 'has a password in its words',
  '--pass': 'has a password in its words',
  '--insecure': 'trusts any certificate',
  '--lru-test': 'writes many keys',
};
const REDIS_WATCHES = [
  '--stat',
  '--latency',
  '--latency-history',
  '--latency-dist',
  '--bigkeys',
  '--memkeys',
  '--hotkeys',
  '--scan',
];

/** redis-cli: by the command that it sends; the key is the object. */
export const classifyRedis: CliClassifier = (argv) => {
  const parsed = parseArgv(argv.slice(1), REDIS_OPTIONS, { stopAtPositional: true });
  if (parsed.doubts.length === 0 && hasOption(parsed, '--version', '--help', '-v'))
    return intentOf('look', 'version');
  const [given, ...rest] = parsed.rest;
  const watches = REDIS_WATCHES.find((name) => hasOption(parsed, name));
  const name = given?.toLowerCase() ?? watches;
  const known =
    given === undefined ? (watches === undefined ? undefined : 'query') : REDIS_KINDS.get(name ?? '');
  // `config get` looks, `config set dir` writes files; most second words of the others matter as well.
  const looks =
    /^(?:config get|acl (?:list|whoami|cat)|client (?:list|info|id)|cluster (?:info|nodes|slots)|script exists|module list)$/;
  const second = `${name} ${rest[0]?.toLowerCase()}`;
  const kind = looks.test(second) ? 'query' : known;
  const where = parsed.options
    .filter((option) => /^(?:-h|-p|-n|-u|-s)$/.test(option.name))
    .map((option) => `${option.name}=${shownWord(option.value ?? '')}`);
  const operation = [
    kind === 'query' && looks.test(second) ? second : (name ?? 'redis-cli'),
    ...where.sort(),
  ].join(' ');
  const object = kind === 'admin' ? rest.map(shownWord).join(' ') : shownWord(rest[0] ?? '');
  const intent: CliIntent = withHosts(
    { ...intentOf(kind ?? 'admin', operation), ...(rest.length === 0 ? {} : { object }) },
    hostsInWords(argv),
  );
  const trap = parsed.options.find((option) => REDIS_TRAPS[option.name] !== undefined);
  const reason =
    parsed.doubts[0] ??
    (trap === undefined ? undefined : `\`${trap.name}\` ${REDIS_TRAPS[trap.name]}`) ??
    (given === undefined && watches === undefined
      ? '`redis-cli` takes commands from its input'
      : undefined) ??
    (kind === undefined ? `redis has no known command \`${given}\`` : undefined);
  return reason === undefined ? intent : asUnknown(intent, reason);
};
