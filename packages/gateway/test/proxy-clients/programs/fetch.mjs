// A program that knows nothing of a proxy: one read, one write, one stream of events.
const url = process.argv[2];
const read = await (await fetch(`${url}/read`)).json();
const events = await fetch(`${url}/sse`);
let text = '';
let pieces = 0;
for await (const piece of events.body.pipeThrough(new TextDecoderStream())) {
  text += piece;
  pieces += 1;
}
const write = await (
  await fetch(`${url}/write`, { method: 'POST', body: JSON.stringify({ from: 'node' }) })
).json();
process.stdout.write(JSON.stringify({ read, write, text, pieces }));
