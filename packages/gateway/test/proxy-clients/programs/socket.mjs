// Says three things over a WebSocket and waits for each to come back.
const socket = new WebSocket(process.argv[2]);
const heard = [];
socket.onopen = () => socket.send(JSON.stringify('one'));
socket.onmessage = ({ data }) => {
  heard.push(JSON.parse(data));
  if (heard.length < 3) socket.send(JSON.stringify(['two', 'x'.repeat(100_000)][heard.length - 1]));
  else socket.close(1000);
};
socket.onerror = ({ error }) => {
  process.stderr.write(`${error?.cause ?? error}\n`);
  process.exitCode = 1;
};
socket.onclose = ({ code }) =>
  process.stdout.write(JSON.stringify({ code, heard: heard.map((text) => text.length) }));
