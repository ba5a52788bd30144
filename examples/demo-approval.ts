// The whole way once: create an approval, decide it as the operator, look at its status.
//
//   SALLYPORT_API_KEY=… SALLYPORT_OPERATOR_TOKEN=… node examples/demo-approval.ts
// Both are in the home of the gateway: `api.key` and `operator.token`.
import { env, stdout } from 'node:process';
import { connect } from '@sallyport/client';

const api = env.SALLYPORT_URL ?? 'http://127.0.0.1:7180';
const operator = env.SALLYPORT_OPERATOR_URL ?? 'http://127.0.0.1:7183';
const sallyport = connect({ apiKey: env.SALLYPORT_API_KEY ?? '', url: api });

const created = await sallyport.ask({
  session_id: 'demo',
  action_type: 'exec_cmd',
  title: 'Run command',
  preview: 'rm -rf ./build && npm run build',
  expires_in_sec: 600,
});
stdout.write(`created  ${JSON.stringify(created)}\n`);

// The person's part. An API key cannot do this: it needs the operator token, on the operator side.
const answer = await fetch(`${operator}/v1/approvals/${created.approval_id}/decision`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${env.SALLYPORT_OPERATOR_TOKEN ?? ''}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ code: '4', text: 'add logs' }),
});
stdout.write(`decided  ${answer.status}\n`);

const state = await sallyport.state(created.approval_id);
stdout.write(`status   ${JSON.stringify(state)}\n`);
