/** One request after the other through the proxy of the environment; prints the median in milliseconds. */
import { Agent, request } from 'node:http';

const [target, count, warmUp] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const proxy = new URL(process.env.HTTP_PROXY);
const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = {
  host: new URL(target).host,
  ...(proxy.username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }),
};

const once = () =>
  new Promise((resolve, reject) => {
    request({ host: proxy.hostname, port: proxy.port, path: target, headers, agent }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
      );
    })
      .on('error', reject)
      .end();
  });

const times = [];
for (let n = 0; n < count + warmUp; n += 1) {
  const began = performance.now();
  await once();
  if (n >= warmUp) times.push(performance.now() - began);
}
times.sort((a, b) => a - b);
console.log(times[times.length >> 1]);
agent.destroy();
