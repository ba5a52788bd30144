// What the Slack channel uses of Bolt.
export { App, SocketModeReceiver, webApi } from '@slack/bolt';
