# Runs inside the jail before the command: `perl forwarder.pl 9 7181,7180 program args...`.
# Listens on the jail's own loopback and hands each connection to the socket `<port>.sock` beside this file, which the
# gateway accepts as this session. Then becomes the command; a child of the jail's init goes on forwarding.
# Does what forwarder.cjs does, in 5 ms instead of 50. No modules: not every system has more than Perl itself.
use strict;

my ($lifeline_fd, $ports, $program, @args) = @ARGV;
my ($folder) = $0 =~ m{^(.*)/};
my ($AF_UNIX, $AF_INET, $AF_INET6, $STREAM) = (1, 2, 10, 1);
my ($F_SETFD, $F_SETFL, $NONBLOCK, $NODELAY, $REUSE) = (2, 4, 2048, 1, 2);
my ($EINTR, $EAGAIN) = (4, 11);
my $BUFFER = 262_144;

open(my $lifeline, '+<&=', $lifeline_fd) or fail(125, "cannot hold on to its caller: $!");
fcntl($lifeline, $F_SETFD, 1);
fcntl($lifeline, $F_SETFL, $NONBLOCK);
# By descriptor: what is open, where its bytes go, what waits to be written to it, and whether it has said all.
my (%listeners, @handle, @peer, @pending, @ended);
my ($reading, $writing) = ('', '');
for my $port (split /,/, $ports) {
  listen_at($port, $AF_INET, pack('S n a4 x8', $AF_INET, $port, "\x7f\0\0\1")) or fail(125, "cannot listen in the jail: $!");
  # A machine without IPv6 has no ::1; then 127.0.0.1 is all there is.
  listen_at($port, $AF_INET6, pack('S n N a16 N', $AF_INET6, $port, 0, "\0" x 15 . "\1", 0));
}

# Twice, so that the command has no child that it did not start.
my $child = fork // fail(125, "cannot fork: $!");
if ($child == 0) {
  my $forwarder = fork // exit 1;
  exit 0 if $forwarder;
  forward();
}
waitpid($child, 0);
fail(125, 'cannot fork') if $? != 0;
# SECURITY: bwrap ties the jail to its caller only late in its start: when the caller died before that, nobody else
# will tell. From here on bwrap itself dies with its caller.
exit 137 if is_over();
# The launcher survives the terminal's signals; the command is to have them.
$SIG{$_} = 'DEFAULT' for qw(INT QUIT TERM HUP);
delete $ENV{PERL_BADLANG};
exec { $program } $program, @args or fail($! + 0 == 2 ? 127 : 126, "cannot run $program: $!");

sub fail {
  my ($code, $message) = @_;
  print STDERR "sallyport: $message\n";
  exit $code;
}

sub listen_at {
  my ($port, $family, $address) = @_;
  socket(my $server, $family, $STREAM, 0) or return 0;
  setsockopt($server, 1, $REUSE, pack('i', 1));
  bind($server, $address) && listen($server, 511) or return 0;
  fcntl($server, $F_SETFL, $NONBLOCK);
  $listeners{fileno $server} = [$server, $port];
  return 1;
}

sub is_over {
  my $got = sysread($lifeline, my $rest, 512);
  return defined $got ? $got == 0 : $! != $EAGAIN && $! != $EINTR;
}

sub forward {
  # Under a name of its own, in a group of its own, and without the agent's descriptors: nothing that is meant for
  # the command finds this process, and whoever waits for the command's output to end does not wait for it.
  $0 = 'sallyport-forwarder';
  setpgrp(0, 0);
  $SIG{$_} = 'IGNORE' for qw(INT QUIT TERM HUP USR1 USR2 PIPE TSTP);
  open(STDIN, '<', '/dev/null');
  open(STDOUT, '>', '/dev/null');
  open(STDERR, '>', '/dev/null');
  vec($reading, $_, 1) = 1 for keys %listeners, fileno $lifeline;
  while (1) {
    my $found = select(my $readable = $reading, my $writable = $writing, undef, undef);
    next if $found < 0;
    flush_to($_) for members($writable);
    for my $fd (members($readable)) {
      if ($listeners{$fd}) { take(@{ $listeners{$fd} }) }
      elsif ($fd == fileno $lifeline) { end_all() if is_over() }
      elsif (defined $handle[$fd]) { read_from($fd) }
    }
  }
}

# INVARIANT: numbers that a loop has yet to come to may be closed by then; each is looked up again.
sub members {
  my $bits = unpack('b*', $_[0]);
  my @found;
  for (my $at = index($bits, '1'); $at >= 0; $at = index($bits, '1', $at + 1)) { push @found, $at }
  return @found;
}

sub take {
  my ($server, $port) = @_;
  for (1 .. 64) {
    my ($inner, $outer);
    if (!accept($inner, $server)) {
      # Out of descriptors: what is open has to end first.
      select(undef, undef, undef, 0.02) if $! != $EAGAIN && $! != $EINTR;
      return;
    }
    socket($outer, $AF_UNIX, $STREAM, 0) or next;
    # Waits when the gateway has not come round to the others yet.
    connect($outer, pack('S a108', $AF_UNIX, "$folder/$port.sock")) or next;
    setsockopt($inner, 6, $NODELAY, pack('i', 1));
    my ($one, $other) = (fileno $inner, fileno $outer);
    for my $pair ([$one, $other, $inner], [$other, $one, $outer]) {
      my ($fd, $peer, $socket) = @$pair;
      fcntl($socket, $F_SETFL, $NONBLOCK);
      ($handle[$fd], $peer[$fd], $pending[$fd], $ended[$fd]) = ($socket, $peer, '', 0);
      vec($reading, $fd, 1) = 1;
    }
  }
}

sub read_from {
  my ($fd) = @_;
  my $to = $peer[$fd];
  my $got = sysread($handle[$fd], $pending[$to], 65_536, length $pending[$to]);
  if (!defined $got) {
    drop($fd) if $! != $EAGAIN && $! != $EINTR;
    return;
  }
  if ($got == 0) {
    $ended[$fd] = 1;
    vec($reading, $fd, 1) = 0;
  }
  flush_to($to);
}

sub flush_to {
  my ($fd) = @_;
  return unless defined $handle[$fd];
  my $from = $peer[$fd];
  if (length $pending[$fd]) {
    my $sent = syswrite($handle[$fd], $pending[$fd]);
    if (defined $sent) { substr($pending[$fd], 0, $sent, '') }
    elsif ($! != $EAGAIN && $! != $EINTR) { return drop($fd) }
  }
  my $left = length $pending[$fd];
  vec($writing, $fd, 1) = $left > 0 ? 1 : 0;
  vec($reading, $from, 1) = 0 + (!$ended[$from] && $left < $BUFFER);
  return if $left > 0 || !$ended[$from];
  # One side has said all it had to say; when both have, that was it.
  if ($ended[$fd] && !length $pending[$from]) { drop($fd) }
  else { shutdown($handle[$fd], 1) }
}

sub drop {
  my ($fd) = @_;
  for my $gone ($fd, $peer[$fd]) {
    vec($reading, $gone, 1) = 0;
    vec($writing, $gone, 1) = 0;
    close $handle[$gone];
    $handle[$gone] = undef;
  }
}

sub end_all {
  kill 'KILL', -1;
  exit 137;
}
