// A gRPC client as its library's README shows it: a call, a conversation, and a call that fails.
import { createRequire } from 'node:module';

const [, , folder, target] = process.argv;
const grpc = createRequire(`${folder}/`)('@grpc/grpc-js');
const bytes = { encode: (text) => Buffer.from(text), decode: (buffer) => buffer.toString() };
const client = new grpc.Client(target, grpc.credentials.createSsl());
const call = (method, text) =>
  new Promise((resolve) => {
    client.makeUnaryRequest(method, bytes.encode, bytes.decode, text, (error, answer) =>
      resolve(error === null ? answer : { code: error.code, details: error.details }),
    );
  });
const said = await call('/test.Echo/Say', 'hello');
const failed = await call('/test.Echo/Fail', 'hello');
const talk = client.makeBidiStreamRequest('/test.Echo/Talk', bytes.encode, bytes.decode);
const heard = [];
talk.write('one');
await new Promise((resolve, reject) => {
  talk.on('data', (text) => {
    heard.push(text);
    if (heard.length < 3) talk.write(`more ${heard.length}`);
    else talk.end();
  });
  talk.on('status', resolve);
  talk.on('error', reject);
});
client.close();
process.stdout.write(JSON.stringify({ said, failed, heard }));
